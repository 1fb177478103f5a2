"""Conversion of a recording's frames to a file: how long each is shown, and the two formats."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

MIN_STEP_MS = 1_000
MAX_STEP_MS = 2_000
"""Longest time for which a frame taken after an act is shown: enough to see it, without the wait for the next act."""


@dataclass(frozen=True)
class Frame:
    """A frame as the browser gives it."""

    picture: bytes
    """An encoded picture without loss; all frames of a recording have one size."""
    at: float
    """Time when it was taken, in ms after the start."""


def durations(times: Sequence[float], mode: str, fps: float, elapsed: float = 0) -> list[int]:
    """Time for which each frame is shown, in ms.

    At a fixed rate the last one stands for those that could not be taken after it, too, up to `elapsed`, the recording's end.

    Whole hundredths of a second, which is what GIF counts in; what rounding takes from one frame the next one gets.
    """
    last = MAX_STEP_MS if mode == "auto_capture" else max(1000 / fps, elapsed - times[-1])
    gaps = [*(later - earlier for earlier, later in zip(times, times[1:], strict=False)), last]
    if mode == "auto_capture":
        gaps = [min(MAX_STEP_MS, max(MIN_STEP_MS, gap)) for gap in gaps]
    shown: list[int] = []
    exact = 0.0
    for gap in gaps:
        exact += gap
        shown.append(max(20, round((exact - sum(shown)) / 10) * 10))
    return shown


def encode(kind: str, frames: Sequence[Frame], lengths: Sequence[int]) -> bytes:
    """A recording as a file.

    Args:
        kind: "gif" or "webm".
        frames: at least one.
        lengths: how long each frame is shown, in ms.
    """
    # Pillow takes 50 ms to import; only recordings need it.
    from tabwire.surfaces.agent.recording.gif import write_gif
    from tabwire.surfaces.agent.recording.webm import write_webm

    writers: dict[str, Callable[[Iterator[bytes], Sequence[int]], bytes]] = {"gif": write_gif, "webm": write_webm}
    return writers[kind]((frame.picture for frame in frames), lengths)
