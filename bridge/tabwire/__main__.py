"""`tabwire` and `python -m tabwire`: commands for a session go there, and nothing else is imported for them."""

import sys

from tabwire.cli.session.options import is_for_session, spelled_out


def main() -> int:
    """Run the command line of this process; the exit code."""
    words = spelled_out(sys.argv[1:])
    if is_for_session(words):
        from tabwire.cli.session import client

        return client.main(words)
    from tabwire.cli import program

    return program.main(words)


if __name__ == "__main__":
    sys.exit(main())
