"""What only Windows offers, and only Windows can run: calls of its own interface (Win32), one subject a module.

Whoever imports a module of this room asks for `sys.platform` first. `scripts/windows` runs its tests.
"""
