"""A score means the same at any size of store: unrelated < 0.3 < related < 0.7 <= nearly the same words.

With the built-in model as it is shipped, and its curve. The pairs below were written after the curve was learnt.
"""

from collections import defaultdict
from pathlib import Path

import pytest

from memoryapp import providers
from memoryapp.index import calibrate
from memoryapp.index.calibrate import Pair
from memoryapp.providers.base import Embedder
from memoryapp.providers.e5 import E5

E5_SPACE = providers.SPACES["e5"]
UNSEEN = (
    ("주말에 뭐 하면 좋을까?", "요즘 주말마다 북한산에 등산을 가요", "related"),
    ("저녁 메뉴 추천해 줘", "땅콩 알레르기가 있어요", "related"),
    ("생일 선물로 뭘 사 줄까?", "딸은 공룡 장난감을 좋아해요", "related"),
    ("어디서 일하는지 알아?", "저는 판교에서 백엔드 개발자로 일해요", "related"),
    ("회의는 언제 잡을까?", "아침 회의는 10시 이후에 잡아 주세요", "related"),
    ("내 강아지 이름 뭐였지?", "우리 집 강아지 이름은 콩이예요", "related"),
    ("출근은 어떻게 해?", "지하철 2호선으로 통근해요", "related"),
    ("운동 뭐 하고 있더라?", "수요일마다 수영을 배우고 있어요", "related"),
    ("마실 것 좀 골라 줘", "커피보다 녹차를 좋아해요", "related"),
    ("나 어디 살지?", "작년에 부산으로 이사했어요", "related"),
    ("무슨 약 먹고 있어?", "혈압약을 매일 아침 먹어요", "related"),
    ("여행 갈 때 좌석은?", "비행기는 창가 자리가 좋아요", "related"),
    ("Where do I work?", "I'm a nurse at St. Mary's hospital", "related"),
    ("What should I cook tonight?", "I don't eat pork", "related"),
    ("Any gift ideas for my son?", "My son is obsessed with dinosaurs", "related"),
    ("When is my flight?", "I fly to Tokyo on March 3rd", "related"),
    ("What's my dog called?", "We have a corgi named Waffles", "related"),
    ("How do I get to the office?", "I bike to work most days", "related"),
    ("Recommend me a drink", "I only drink decaf", "related"),
    ("What language am I learning?", "I've been taking Spanish classes since June", "related"),
    ("주말에 뭐 하면 좋을까?", "혈압약을 매일 아침 먹어요", "unrelated"),
    ("저녁 메뉴 추천해 줘", "저는 판교에서 백엔드 개발자로 일해요", "unrelated"),
    ("어디서 일하는지 알아?", "커피보다 녹차를 좋아해요", "unrelated"),
    ("회의는 언제 잡을까?", "땅콩 알레르기가 있어요", "unrelated"),
    ("내 강아지 이름 뭐였지?", "지하철 2호선으로 통근해요", "unrelated"),
    ("나 어디 살지?", "수요일마다 수영을 배우고 있어요", "unrelated"),
    ("무슨 약 먹고 있어?", "딸은 공룡 장난감을 좋아해요", "unrelated"),
    ("여행 갈 때 좌석은?", "아침 회의는 10시 이후에 잡아 주세요", "unrelated"),
    ("출근은 어떻게 해?", "우리 집 강아지 이름은 콩이예요", "unrelated"),
    ("운동 뭐 하고 있더라?", "작년에 부산으로 이사했어요", "unrelated"),
    ("Where do I work?", "I don't eat pork", "unrelated"),
    ("What should I cook tonight?", "I bike to work most days", "unrelated"),
    ("When is my flight?", "We have a corgi named Waffles", "unrelated"),
    ("What's my dog called?", "I've been taking Spanish classes since June", "unrelated"),
    ("Recommend me a drink", "My son is obsessed with dinosaurs", "unrelated"),
    ("What language am I learning?", "I fly to Tokyo on March 3rd", "unrelated"),
    ("How do I get to the office?", "I only drink decaf", "unrelated"),
    ("Any gift ideas for my son?", "I'm a nurse at St. Mary's hospital", "unrelated"),
)


@pytest.fixture(scope="module")
def e5(tmp_path_factory: pytest.TempPathFactory) -> Embedder:
    cache: Path = tmp_path_factory.mktemp("models")
    return E5(cache=cache)


def scores(embedder: Embedder, pairs: list[Pair]) -> dict[str, list[float]]:
    found: dict[str, list[float]] = defaultdict(list)
    for pair, score in calibrate.measure(embedder, E5_SPACE.calibration(), pairs):
        found[pair.label].append(score)
    return found


def share(values: list[float], low: float, high: float) -> float:
    return sum(low <= value <= high for value in values) / len(values)


@pytest.mark.xdist_group("e5")
def test_what_the_curve_was_learnt_from_lies_where_it_belongs(e5: Embedder) -> None:
    found = scores(e5, calibrate.pairs())
    assert share(found["unrelated"], 0, 0.3) >= 0.95
    assert share(found["related"], 0.3, 1) >= 0.9
    assert share(found["near"], 0.7, 1) >= 0.85
    assert share(found["same"], 0.9, 1) == 1


@pytest.mark.xdist_group("e5")
def test_so_does_what_it_has_not_seen(e5: Embedder) -> None:
    pairs = [Pair(question=question, memory=memory, label=label) for question, memory, label in UNSEEN]
    found = scores(e5, pairs)
    assert share(found["unrelated"], 0, 0.3) >= 0.9
    assert share(found["related"], 0.3, 0.7) >= 0.6  # those that take a thought to see stay below
    assert min(found["related"]) > sorted(found["unrelated"])[len(found["unrelated"]) // 2]


@pytest.mark.xdist_group("e5")
def test_the_words_of_the_question_are_nearly_the_same(e5: Embedder) -> None:
    pairs = [Pair(question=memory, memory=memory, label="same") for _, memory, _ in UNSEEN[:20]]
    assert min(scores(e5, pairs)["same"]) >= 0.9
