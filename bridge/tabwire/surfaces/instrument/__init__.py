"""Sessions that observe first and act with a reason (document 004): what the surface of that name is made of."""
