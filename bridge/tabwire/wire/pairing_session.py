"""The bridge's side of one pairing by a person's click. No I/O, no clock.

    offer ──► REQUEST ──request/reveal──► ANSWER ──answer/done──► DONE          any refusal ──► CLOSED

Nothing is kept by this: the key counts once the ordinary handshake (`session`) has proved that both ends have it.
"""

import enum
from dataclasses import dataclass

from tabwire.wire import key_agreement
from tabwire.wire.key_agreement import Agreed, PairingTranscript
from tabwire.wire.messages import (
    Malformed,
    PairingDone,
    PairingOffer,
    PairingReveal,
    parse_pairing_answer,
    parse_pairing_request,
)
from tabwire.wire.session import Refused, check_peer


class Stage(enum.Enum):
    """Progress of an exchange."""

    REQUEST = "request"
    ANSWER = "answer"
    DONE = "done"
    CLOSED = "closed"


@dataclass(eq=False, kw_only=True)
class PairingSession:
    """Exchange with one browser, from its first frame."""

    port: int
    """The port this bridge listens on."""
    server_id: str
    """Id of this bridge process."""
    extension_id: str
    """The only extension that may ask."""

    def __post_init__(self) -> None:
        self.stage = Stage.REQUEST
        self.code = ""
        """The digits that the person compares; "" before there are any."""
        self.agreed: Agreed | None = None
        self._private_key = key_agreement.new_private_key()
        self._key = key_agreement.public_key_of(self._private_key)
        self._nonce = key_agreement.new_nonce()

    def offer(self) -> str:
        """The first frame, which the bridge sends: its commitment."""
        commitment = key_agreement.commitment_to(self.port, self.server_id, self._key, self._nonce)
        return PairingOffer(self.server_id, commitment).encode()

    def advance(self, frame: str | bytes) -> str | None:
        """Take a frame and return the answer; None for one that needs none.

        Raises:
            Refused: The connection must be closed.
        """
        steps = {Stage.REQUEST: self._reveal, Stage.ANSWER: self._decide}
        step = steps.get(self.stage)
        stage, self.stage = self.stage, Stage.CLOSED
        if step is None:
            raise Refused("malformed", f"no exchange is under way ({stage.value})")
        try:
            return step(frame)
        except (Malformed, ValueError) as error:
            raise Refused("malformed", str(error)) from None

    def _reveal(self, frame: str | bytes) -> str:
        request = parse_pairing_request(frame)
        check_peer(request.version, request.extension_id, self.extension_id)
        transcript = PairingTranscript(
            request.extension_id, self.port, self.server_id, self._key, self._nonce, request.public_key, request.nonce
        )
        self.agreed = key_agreement.agree(self._private_key, request.public_key, transcript)
        self.code = key_agreement.code_of(transcript)
        self.stage = Stage.ANSWER
        return PairingReveal(self._key, self._nonce).encode()

    def _decide(self, frame: str | bytes) -> str | None:
        answer = parse_pairing_answer(frame)
        if answer is None:
            self.stage = Stage.ANSWER
            return None
        assert self.agreed is not None
        if not answer.is_allowed:
            raise Refused("not_allowed")
        if not self.agreed.is_proof("extension", answer.mac):
            raise Refused("wrong_mac")
        self.stage = Stage.DONE
        return PairingDone(self.agreed.proof("server")).encode()
