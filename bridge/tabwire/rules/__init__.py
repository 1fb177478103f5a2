"""Rules about sites, addresses and sensitive acts: their words and tables, which the extension has from here."""
