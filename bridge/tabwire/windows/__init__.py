"""Calls of the Windows API, which only Windows can run: one subject a module.

Whoever imports a module of this room asks for `sys.platform` first. `scripts/windows` runs its tests.
"""
