"""`scripts/messages`: the messages of all errors as a table."""

from __future__ import annotations

import argparse

import messages


def main() -> None:
    parser = argparse.ArgumentParser(prog="scripts/messages", description="Print the messages of all errors as a table.")
    parser.add_argument("--without-step", action="store_true", help="only those that name no next step")
    options = parser.parse_args()
    found = [message for message in messages.of_repository() if not message.is_made_elsewhere]
    print("| code | message | next step | where |\n| --- | --- | --- | --- |")
    for message in sorted(found, key=lambda one: (one.code, one.text)):
        if not (options.without_step and message.names_step):
            step = "beside it" if message.step_beside else "in it" if message.names_step else "none"
            text = message.text.replace("|", "\\|").replace("\n", " ")
            print(f"| {message.code} | {text} | {step} | {message.path}:{message.line} |")
    without = sum(not message.names_step for message in found)
    print(f"\n{len(found)} messages, {without} without a next step")


if __name__ == "__main__":
    main()
