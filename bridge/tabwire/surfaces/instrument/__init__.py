"""Sessions that observe first and act with a reason (instrument spec): what the surface of that name is made of."""
