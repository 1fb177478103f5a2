"""The PDF that a tab shows: loaded by its browser, as its user, and read here."""

from base64 import b64decode
from unicodedata import category

from tabwire.commands.secret_shapes import mask_text
from tabwire.commands.snapshot import PdfFile, SnapshotResult
from tabwire.errors import TabwireError
from tabwire.surfaces.context import Context
from tabwire.surfaces.shared.pdf import PdfText, read_pdf
from tabwire.surfaces.shared.pdf.pages import Pdf

READ_SHARE = 0.5
"""Part of the time of a call in which a file is read; the rest is for loading it and for the reply."""

_JOINERS = "\u200c\u200d"
"""Characters that some scripts need."""


async def pdf_of(context: Context, result: SnapshotResult, timeout_ms: float) -> Pdf:
    """The PDF that a snapshot says its tab shows."""

    async def load() -> PdfText:
        return await _text_of(context, result["tabId"], timeout_ms)

    return await context.snapshots.pdfs.read(result["pdf"], result["snapshot"].partition("\n\n")[0], load)


async def _text_of(context: Context, tab: int, timeout_ms: float) -> PdfText:
    try:
        file = await context.send(PdfFile(tabId=tab, timeout=timeout_ms * READ_SHARE))
    except TabwireError as error:
        return PdfText(left_out=f"the text of this PDF, whose file could not be loaded: {error}")
    text = await read_pdf(b64decode(file["base64"]), timeout_ms / 1000 * READ_SHARE)
    mask = mask_text if file["is_masked"] else str
    return PdfText(_plain(mask(text.title)), text.count, tuple(_plain(mask(page)) for page in text.pages), text.left_out)


def _plain(text: str) -> str:
    """A text without invisible characters and without what looks like a reference."""
    seen = "".join(one for one in text if one in "\n\t" or one in _JOINERS or category(one) not in ("Cc", "Cf", "Co", "Cs"))
    lines = (line.rstrip() for line in seen.splitlines())
    return "\n".join(lines).strip("\n").replace("[ref=", "(ref=")
