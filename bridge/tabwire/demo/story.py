"""Steps of the demo in the fruit stall, page by page, and what must be true of the app's state afterwards."""

from collections.abc import Awaitable, Callable
from typing import Any

from tabwire.demo.app import DemoApp
from tabwire.demo.transcript import DemoFailed, Transcript

Step = Callable[[Transcript, DemoApp], Awaitable[None]]


async def order(t: Transcript, app: DemoApp) -> None:
    """A form that posts and navigates."""
    await t.call("navigate", url=app.url)
    await t.snapshot()
    await t.act("click", "link", "Order")
    await t.snapshot()
    await t.act("fill", "textbox", "Your name", value="Ada Lovelace")
    await t.act("fill", "textbox", "E-mail", value="ada@example.org")
    await t.act("click", "radio", "Large")
    await t.act("click", "checkbox", "Gift wrapping")
    await t.act("fill", "textbox", "Note", value="Ring twice, please – merci")
    await t.act("click", "button", "Place order", show=6)
    await t.snapshot()
    t.expect("Order 1 received")


async def voucher(t: Transcript, app: DemoApp) -> None:
    """A cross-origin iframe."""
    await t.call("navigate", url=f"{app.url}/voucher")
    await t.snapshot()
    await t.act("fill", "textbox", "Voucher code", value="SPRING")
    await t.act("click", "button", "Redeem")
    await t.wait_for("text", "Voucher SPRING accepted")
    await t.snapshot()
    t.expect("Voucher SPRING accepted")


async def feedback(t: Transcript, app: DemoApp) -> None:
    """An open and a closed shadow root."""
    await t.call("navigate", url=f"{app.url}/feedback")
    await t.snapshot(show=18)
    await t.act("click", "button", "4 stars")
    await t.wait_for("text", "You gave 4 stars")
    await t.act("fill", "textbox", "Newsletter e-mail", value="ada@example.org")
    await t.act("click", "button", "Subscribe")
    await t.wait_for("text", "Subscribed")
    await t.snapshot(show=18)
    t.expect("You gave 4 stars")
    t.expect("Subscribed")


async def stock(t: Transcript, app: DemoApp) -> None:
    """A list that makes its rows anew at every change: a ref of a row that is gone is refused, never re-used."""
    await t.call("navigate", url=f"{app.url}/stock")
    await t.wait_for("text", "Remove Plums")
    await t.snapshot()
    gone = t.ref("button", "Remove Pears")
    await t.act("click", "button", "Remove Pears")
    await t.wait_for("text_hidden", "Remove Pears")
    await t.call("click", selector=gone, timeout=1000, expect_error=True)
    await t.snapshot()
    await t.act("fill", "textbox", "New row", value="Quinces")
    await t.act("press", "textbox", "New row", key="Enter")
    await t.wait_for("text", "Remove Quinces")
    await t.snapshot()
    t.expect("Remove Quinces")


async def moved(t: Transcript, app: DemoApp) -> None:
    """A link that redirects, a button that navigates, and the way back."""
    await t.call("navigate", url=app.url)
    await t.snapshot(show=3)
    await t.act("click", "link", "Moved page")
    if "/arrived" not in await t.call("url"):
        raise DemoFailed("the redirect was not followed")
    await t.snapshot()
    await t.act("click", "button", "Back to the stall")
    await t.call("title")
    await t.call("back")
    if "/arrived" not in await t.call("url"):
        raise DemoFailed("back did not go back")
    await t.call("screenshot", format="jpeg", quality=70)


STEPS: tuple[Step, ...] = (order, voucher, feedback, stock, moved)

EXPECTED: dict[str, Any] = {
    "orders": [
        {"name": "Ada Lovelace", "email": "ada@example.org", "size": "large", "gift": "yes", "note": "Ring twice, please – merci"}
    ],
    "promo": "SPRING",
    "rating": 4,
    "newsletter": "ada@example.org",
    "rows": ["Apples", "Plums", "Quinces"],
    "redirects": 1,
}
