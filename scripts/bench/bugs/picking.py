"""Rules that pick the answer from the replies of a session: one for each kind of bug, none knows an expected answer."""
