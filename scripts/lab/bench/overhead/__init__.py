"""Costs of Tabwire for pages that it only watches."""
