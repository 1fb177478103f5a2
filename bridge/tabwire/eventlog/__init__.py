"""The event log: what every client had done, append-only and hash-chained (instrument spec, "Event Log")."""
