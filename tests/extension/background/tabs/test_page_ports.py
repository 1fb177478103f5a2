"""Ports between the worker and the pages in use, with a page that answers over one; run by node."""

from extension.background.tabs.tabs_in_node import run


def test_the_pages_that_no_client_uses_are_let_go_also_after_one_whose_port_is_broken() -> None:
    assert run("""
        const ports = [openPort(1, { broken: true }), openPort(2), openPort(3)];
        await holdTab({ id: 3, url: "https://a.example/" });
        await soon();
        const before = [1, 2, 3].map(documentOnPort);
        fire("alarms.onAlarm", { name: "tabwire-discover" });
        await soon();
        return [before, [1, 2, 3].map((tab) => documentOnPort(tab) ?? null), ports.map(({ worker }) => worker.sent)];
    """) == [["D1", "D2", "D3"], [None, None, "D3"], [[], [{"release": True}], []]]


def test_a_page_whose_port_is_broken_answers_nothing() -> None:
    assert run("""
        openPort(1, { broken: true });
        await soon();
        return [await askPage(1), await runOverPort(1, [], false)];
    """) == [None, None]


def test_a_port_counts_once_its_page_has_answered() -> None:
    """A script that its extension was reloaded under has opened a Port to the new worker, and is cut off."""
    assert run("""
        const tab = { id: 1, url: "https://a.example/" };
        let placed = 0;
        known["scripting.executeScript"] = async () => { placed += 1; return []; };
        openPort(1, { isSilent: true });
        await soon();
        await holdTab(tab);
        const silent = [documentOnPort(1) ?? null, await askPage(1), placed];
        openPort(1);
        await soon();
        await holdTab(tab);
        return [silent, [documentOnPort(1), placed]];
    """) == [[None, None, 1], ["D1", 1]]


def test_an_error_of_a_content_function_is_its_outcome_over_a_port() -> None:
    assert run("""
        openPage(async (name) => { throw new Error(`no ${name}`); });
        await soon();
        const later = await runOverPort(1, ["later"], false);
        globalThis.__tabwireRun = (name) => { throw new Error(`no ${name}`); };
        return [later, await runOverPort(1, ["now"], false)].map(({ hasRun, outcome }) => [hasRun, outcome.error]);
    """) == [[True, {"code": "unknown_error", "message": f"Error: no {name}"}] for name in ("later", "now")]


#: A tab whose top document is asked over its Port, and whose frames are asked by scripts.
TAB = """
const asked = [];
let frames = [0], missing = [];
const answer = (frameId) => ({ frameId, documentId: `D${frameId || 1}`, result: `frame ${frameId}` });
known["webNavigation.getAllFrames"] = async () => {
  if (!frames) throw new Error("no list");
  return frames.map((frameId) => ({ frameId }));
};
known["scripting.executeScript"] = async ({ target, files }) => {
  if (files) return [];
  asked.push(target.allFrames ? "all" : target.frameIds);
  if (target.frameIds?.some((frameId) => missing.includes(frameId))) throw new Error("Frame with ID was removed.");
  return (target.frameIds ?? [0, 5]).map(answer);
};
let runs = 0, meanwhile = () => {};
openPage(() => { runs += 1; meanwhile(); return "over the Port"; });
/** A document comes into a frame that the top one does not count. */
const frameComes = () => fire("webNavigation.onCommitted", { tabId: 1, frameId: 7, documentId: "D7", url: "https://a.example/" });
await soon();
const all = async () => {
  const answers = await runInDocuments({ tabId: 1, allFrames: true }, () => {}, [], true);
  return answers.map(({ frameId, result }) => [frameId, result]);
};
// A script for all frames finds one document.
known["scripting.executeScript"] = ((real) => async (script) => { const all = await real(script); return all.slice(0, 1); })(
  known["scripting.executeScript"],
);
await all();
"""


def test_a_function_runs_once_in_a_document_whose_frames_are_in_a_shadow_tree() -> None:
    assert run(f"""{TAB}
        asked.length = 0;
        const alone = await all();
        frames = [0, 7, 8];
        missing = [8];
        meanwhile = frameComes;
        const told = await all();
        return [alone, told, runs, asked, keepsOrder(1)];
    """) == [[[0, "over the Port"]], [[0, "over the Port"], [7, "frame 7"]], 2, [[7], [8]], False]


def test_all_frames_are_asked_where_they_cannot_be_listed() -> None:
    assert run(f"""{TAB}
        asked.length = 0;
        frames = null;
        meanwhile = frameComes;
        known["scripting.executeScript"] = async ({{ target }}) => {{
          asked.push(target.allFrames ? "all" : target.frameIds);
          return [0, 5].map(answer);
        }};
        return [await all(), asked, keepsOrder(1)];
    """) == [[[0, "over the Port"], [5, "frame 5"]], ["all"], False]
