"""What tests of a listener on the network need to know of this computer."""

import socket

import pytest


def network_address() -> str:
    """An address of this computer that is not on loopback. Nothing is sent to find it."""
    for family, elsewhere in ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")):
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect((elsewhere, 9))
            except OSError:
                continue
            return str(probe.getsockname()[0])
    pytest.skip("this computer has no address but loopback")
