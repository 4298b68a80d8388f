"""What an English clause tells about a person: one function per kind of statement, the first that answers counts."""

from collections.abc import Callable

from memoryapp.extract.rules.english_days import (
    active,
    agreement,
    duty,
    habit,
    happened,
    lasting,
    never,
    plan,
    stopped,
    taken_with,
    using,
)
from memoryapp.extract.rules.english_identity import identity
from memoryapp.extract.rules.english_leanings import idiom
from memoryapp.extract.rules.english_people import (
    couple,
    doing,
    formerly,
    kicked,
    needing,
    ongoing,
    parted_with,
    raised,
    renewed,
    struggling,
    sworn,
)
from memoryapp.extract.rules.english_plain import plain
from memoryapp.extract.rules.english_scene import Scene
from memoryapp.extract.rules.english_scores import score
from memoryapp.extract.rules.english_self import attribute, called, having, living, skill
from memoryapp.extract.rules.english_tastes import eating, leaning, leaving_out, liking
from memoryapp.extract.rules.english_work import working
from memoryapp.extract.rules.slots import Finding

Rule = Callable[[Scene], Finding | None]


def judge(scene: Scene) -> Finding | None:
    for rule in RULES:
        found = rule(scene)
        if found is not None:
            return found
    return None


RULES: tuple[Rule, ...] = (
    attribute, idiom, score, renewed, parted_with, couple, identity, doing, formerly, kicked, needing, struggling, sworn, raised, ongoing, agreement, leaning, leaving_out, liking, having, living, working, called, eating, duty, skill, plan, happened, using, never, stopped, habit, taken_with, active, lasting, plain,
)  # fmt: skip
