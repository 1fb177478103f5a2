"""The extension's end of the agreement on a new key, held against the file of the bridge's tests; run by node."""

import json
from typing import Any

import pytest

from extension.in_node import run
from source_tree import ROOT

VECTORS = ROOT / "tests/bridge/wire/key_agreement.json"
MODULE = "background/wire/key-agreement.js"
RECKON = """
const import_ = (jwk, usages) => crypto.subtle.importKey("jwk", jwk, { name: "ECDH", namedCurve: "P-256" }, true, usages);
const told = [];
for (const { transcript, extension_key: own, server_proof: proof } of given) {
  const { d, ...shown } = own;
  const agreed = await agree(await import_(own, ["deriveBits"]), transcript);
  const other = await agree(await import_(own, ["deriveBits"]), { ...transcript, port: 1 });
  told.push({
    public: await publicText(await import_(shown, [])), commitment: await commitmentTo(transcript), code: await codeOf(transcript),
    key_id: agreed.key_id, extension_proof: await proveAllowed(agreed), isAgreed: await isAgreed(agreed, proof),
    isAgreedByOther: await isAgreed(other, proof), isReadable: agreed.key.extractable || agreed.confirmation.extractable,
  });
}
const wrong = given[0];
wrong.transcript.server_key = "BA" + "A".repeat(85);
told.push(await agree(await import_(wrong.extension_key, ["deriveBits"]), wrong.transcript).then(() => "taken", () => "refused"));
return told;
"""


@pytest.fixture(scope="module")
def told() -> list[Any]:
    result: list[Any] = run([MODULE], RECKON, given=json.loads(VECTORS.read_text()))
    return result


def test_the_extension_reckons_as_the_bridge_does(told: list[Any]) -> None:
    vectors = json.loads(VECTORS.read_text())
    assert vectors and [
        {name: one[name] for name in ("commitment", "code", "key_id", "extension_proof")} for one in told[:-1]
    ] == [{name: vector[name] for name in ("commitment", "code", "key_id", "extension_proof")} for vector in vectors]
    assert [one["public"] for one in told[:-1]] == [vector["transcript"]["extension_key"] for vector in vectors]


def test_a_proof_of_another_exchange_is_refused(told: list[Any]) -> None:
    assert {(one["isAgreed"], one["isAgreedByOther"]) for one in told[:-1]} == {(True, False)}


def test_a_key_off_the_curve_is_refused(told: list[Any]) -> None:
    assert told[-1] == "refused"


def test_no_key_can_be_read_back(told: list[Any]) -> None:
    assert {one["isReadable"] for one in told[:-1]} == {False}
