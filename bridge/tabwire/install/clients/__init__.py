"""The configuration of MCP clients: where each keeps it, and putting our entry in or taking it out.

table         which clients there are, as data
executable    the words that start this program again later
entry         the value written, and whether one that is there is ours
json_text     changing one member of a JSON text, every other byte stays
config_file   reading, backing up and replacing a file
claude_code   the client that is asked to change its configuration itself
"""

from tabwire.install.clients.table import CLIENTS, SERVER_NAME, Client, Machine

__all__ = ["CLIENTS", "SERVER_NAME", "Client", "Machine"]
