"""The event log: what every client had done, append-only and hash-chained (document 004, "Event Log")."""
