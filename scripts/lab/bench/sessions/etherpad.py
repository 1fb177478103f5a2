"""Etherpad: write and format, say a name, chat, change a setting, share."""

import re

from applications.etherpad import Etherpad

from sessions.session import Session

USERS = re.compile("users")
SETTINGS = re.compile("^Settings")
SHARE = re.compile("^Share")


def steps(session: Session) -> None:
    session.wait("Agenda")
    session.look()
    _writes(session)
    _formats(session)
    _chats(session)
    _changes_a_setting(session)
    session.click("application")
    session.press("Control+End")
    session.type("\nDone")
    session.look()
    session.click("button", SHARE)
    session.look()
    session.find("button", "Timeslider")
    session.look(mode="interactive")


def _writes(session: Session) -> None:
    session.click("application")
    session.press("Control+End")
    session.type("Travel\nFood")
    session.look()


def _formats(session: Session) -> None:
    session.press("Control+Home", "Shift+End")
    session.click("button", re.compile("^Bold"))
    session.look(diff=True)
    session.press("Control+Home")
    session.click("button", re.compile("^Unordered List"))
    session.look()


def _chats(session: Session) -> None:
    session.click("button", USERS)
    session.pause()
    session.look()
    session.on("fill", "textbox", re.compile("name", re.IGNORECASE), value="Ada")
    session.press("Enter")
    session.click("generic", re.compile("buttonicon-chat"))
    session.pause()
    session.look()
    session.on("fill", "textbox", re.compile("message|chat", re.IGNORECASE), value="Shall we begin?")
    session.press("Enter")
    session.wait("Shall we begin?")
    session.look()


def _changes_a_setting(session: Session) -> None:
    session.click("button", SETTINGS)
    session.pause()
    session.look()
    session.click("checkbox", re.compile("Line numbers", re.IGNORECASE))
    session.look(diff=True)
    session.click("button", SETTINGS)


def judge(application: Etherpad) -> None:
    application.until_chat(("Ada", "Shall we begin?"))
    application.until_html("<strong>Agenda</strong>")
    application.until_text("\t* Agenda\nBudget\nTravel\nFood\nDone")
