"""Everything that is written of a recorded run: one model of its actions, one printer per language."""
