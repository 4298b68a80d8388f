"""The built-in embedder: what it means by near, and that no text and no accident can stop it."""

import importlib.util
import multiprocessing
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from memoryapp.providers import e5_weights
from memoryapp.providers.base import EmbedderDown, metered
from memoryapp.providers.e5 import E5
from memoryapp.providers.e5_graph import graph_path

WORK = "저는 판교에서 백엔드 개발자로 일해요"
STRANGE = [
    "",
    " ",
    "\x00",
    "\ufdfa" * 10,
    "\ufdfa" * 4000,
    "\ud800 alone",
    "\u1112\u1161\u11ab\u1100\u1173\u11af",
    "가" * 40_000,
    "a" * 100_000,
    "</s><s><pad><unk>",
    "😀" * 1000,
    "\u200b\u202e\ufeff",
    "'\":*&|!",
]


def test_a_question_is_nearest_to_what_answers_it(e5: E5) -> None:
    memories = [WORK, "고양이 두 마리를 키워요", "I'm allergic to peanuts"]
    vectors = e5.embed(memories, kind="passage")

    for question, answer in (("어디서 일하는지 알아?", 0), ("반려동물 있어?", 1), ("peanuts", 2)):
        assert int(np.argmax(vectors @ e5.embed([question], kind="query")[0])) == answer


def test_vectors_have_length_one_and_the_promised_shape(e5: E5) -> None:
    vectors = e5.embed([WORK, "x"], kind="passage")

    assert vectors.shape == (2, e5.dims)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert e5.embed([], kind="passage").shape == (0, e5.dims)


@pytest.mark.parametrize("text", STRANGE, ids=range(len(STRANGE)))
def test_any_text_has_a_vector(e5: E5, text: str) -> None:
    for kind in ("query", "passage"):
        vector = e5.embed([text], kind=kind)[0]
        assert np.isfinite(vector).all()


EMBED = """
import sys
from pathlib import Path
from memoryapp.providers.e5 import E5
assert E5(cache=Path(sys.argv[1])).embed(["hello"], kind="query").shape == (1, 384)
"""
#: What onnxruntime takes for a reason to report nothing by itself.
QUIET = ("CI", "ORT_", "GITHUB_", "TF_BUILD", "PYTEST")


def test_embedding_leaves_no_id_of_this_machine_and_reports_to_nobody(tmp_path: Path) -> None:
    cache, home = tmp_path / "cache", tmp_path / "home"
    home.mkdir()
    plain = {name: value for name, value in os.environ.items() if not name.startswith(QUIET)}
    where = dict.fromkeys(("HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "TMPDIR"), str(home))
    subprocess.run([sys.executable, "-c", EMBED, str(cache)], env=plain | where, check=True)
    assert list(home.rglob("*")) == []


def test_a_nul_does_not_cut_a_text_off(e5: E5) -> None:
    whole, cut = e5.embed([f"peanuts\x00 {WORK}", "peanuts"], kind="passage")

    assert whole @ cut < 0.95


def test_composed_and_decomposed_hangul_are_one_text(e5: E5) -> None:
    composed, decomposed = e5.embed(["한글", "\u1112\u1161\u11ab\u1100\u1173\u11af"], kind="passage")

    assert composed @ decomposed > 0.9999


def test_a_text_means_the_same_alone_and_among_others(e5: E5) -> None:
    texts = [WORK, "x", "민지는 " * 200, "short", "고양이 두 마리"]

    together = e5.embed(texts, kind="passage")
    alone = np.vstack([e5.embed([text], kind="passage") for text in texts])

    # onnxruntime chooses another 4-bit kernel for one row than for many; what it rounds off stays below this.
    assert ((together * alone).sum(axis=1) > 0.999).all()


def test_what_is_beyond_the_models_reach_is_left_out(e5: E5) -> None:
    long = "하나 둘 셋 " * 400

    near, far = e5.embed([long, long + " peanuts"], kind="passage")

    assert near @ far > 0.9999


def test_many_threads_get_what_one_gets(e5: E5) -> None:
    texts = [f"{WORK} {number}" for number in range(24)]
    expected = e5.embed(texts, kind="passage")

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda text: e5.embed([text], kind="passage")[0], texts))

    assert (np.sum(np.vstack(found) * expected, axis=1) > 0.9999).all()


def test_a_question_asked_again_costs_nothing_and_cannot_be_spoilt(e5: E5) -> None:
    first = e5.embed(["민지는 어디 살아?"], kind="query")
    kept = first.copy()
    first[:] = 0

    with metered() as usage:
        again = e5.embed(["민지는 어디 살아?"], kind="query")

    assert np.array_equal(again, kept)
    assert usage.requests == 0


def test_what_is_read_is_counted(e5: E5) -> None:
    with metered() as usage:
        e5.embed([WORK, "x"], kind="passage")

    assert usage.requests == 1
    assert usage.tokens > 10


def test_a_spoilt_graph_is_built_anew(tmp_path: Path) -> None:
    graph_path(tmp_path).write_bytes(b"half of a file")

    assert E5(cache=tmp_path).embed([WORK], kind="passage").shape == (1, 384)


def test_a_cache_that_cannot_be_written_is_an_outage(tmp_path: Path) -> None:
    place = tmp_path / "a file, no folder"
    place.write_text("")

    with pytest.raises(EmbedderDown):
        E5(cache=place).embed([WORK], kind="passage")


def test_another_weight_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "e5-small-q4.bin"
    path.write_bytes(b"E5S1" + bytes(100))
    with pytest.raises(EmbedderDown):
        e5_weights.verify(path)

    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(EmbedderDown):
        e5_weights.weights_path()


def _embed_in_a_process(cache: Path) -> list[float]:
    return [float(value) for value in E5(cache=cache).embed([WORK], kind="passage")[0][:4]]


def test_processes_that_start_at_once_build_one_graph(tmp_path: Path) -> None:
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        first, second = pool.map(_embed_in_a_process, [tmp_path, tmp_path])

    assert first == second
    assert [path.name for path in tmp_path.iterdir()] == [graph_path(tmp_path).name]
