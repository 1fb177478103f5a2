"""Small PDF files, written by hand."""

from collections.abc import Sequence


def pdf(pages: Sequence[str], *, title: str = "", link: str = "") -> bytes:
    """A PDF with a line of text per page (an empty one: a page without a text layer), and a link on each page."""
    count = len(pages)
    kids = " ".join(f"{4 + 2 * at} 0 R" for at in range(count))
    annotation = f"/Annots [<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A << /S /URI /URI ({link}) >> >>]" if link else ""
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {count} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for at, text in enumerate(pages):
        drawing = f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET" if text else ""
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {5 + 2 * at} 0 R "
            f"/Resources << /Font << /F1 3 0 R >> >> {annotation} >>"
        )
        objects.append(f"<< /Length {len(drawing)} >>\nstream\n{drawing}\nendstream")
    objects.append(f"<< /Title ({title}) >>")
    return _file(objects)


def _file(objects: Sequence[str]) -> bytes:
    body = b"%PDF-1.4\n"
    offsets = []
    for number, text in enumerate(objects, 1):
        offsets.append(len(body))
        body += f"{number} 0 obj\n{text}\nendobj\n".encode("latin-1")
    table = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    trailer = f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R /Info {len(objects)} 0 R >>\nstartxref\n{len(body)}\n%%EOF\n"
    return body + f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}{trailer}".encode("latin-1")
