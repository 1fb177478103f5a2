"""Sessions: bridges in the background that run the commands of shells."""
