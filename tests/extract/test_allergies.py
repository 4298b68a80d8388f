"""Allergies told together: what Minji has, what she has not, and what somebody near her has instead."""

import pytest


@pytest.mark.parametrize(("text", "statements"), [
    ("No, I am not allergic to nuts, my sister is", ["I'm not allergic to nuts.", "My sister is allergic to nuts."]),
    ("I'm not allergic to cats, my brother is", ["I'm not allergic to cats.", "My brother is allergic to cats."]),
    ("I'm allergic to cats, but my brother isn't", ["I'm allergic to cats.", "My brother is not allergic to cats."]),
    ("I'm allergic to cats, my brother is too", ["I'm allergic to cats.", "My brother is allergic to cats."]),
    ("I'm allergic to milk, eggs and wheat, but not soy",
     ["I'm not allergic to soy.", "I'm allergic to milk.", "I'm allergic to eggs.", "I'm allergic to wheat."]),
    ("I'm allergic to milk and eggs but not to soy.", ["I'm not allergic to soy.", "I'm allergic to milk.", "I'm allergic to eggs."]),
    ("My son is allergic to milk and eggs, but not nuts",
     ["My son is not allergic to nuts.", "My son is allergic to milk.", "My son is allergic to eggs."]),
    ("Wait, no, I'm allergic to shrimp, not crab", ["I'm not allergic to crab.", "I'm allergic to shrimp."]),
    ("I'm not allergic to crab, but to shrimp", ["I'm not allergic to crab.", "I'm allergic to shrimp."]),
])  # fmt: skip
def test_each_allergy_is_a_row_of_its_own(read, text, statements):
    assert [fact.statement for fact in read(text)] == statements


@pytest.mark.parametrize(("text", "slots"), [
    ("I'm allergic to peanuts, but I love soy", [("user", "allergy"), ("user", "likes")]),
    ("I'm not allergic to nuts, but my mom is vegan", [("user", "allergy"), ("mom", "diet")]),
    ("I'm allergic to cats, and my sister is a vet", [("user", "allergy"), ("sister", "occupation")]),
    ("I'm allergic to pollen, not that it matters", [("user", "allergy")]),
])  # fmt: skip
def test_what_else_is_said_is_no_allergy(read, text, slots):
    assert [(fact.slot.subject, fact.slot.attribute) for fact in read(text)] == slots


def test_a_list_of_what_is_no_allergy_invents_none(read):
    facts = read("I'm not allergic to nuts, eggs or milk.")
    assert [fact.statement for fact in facts] == [
        f"I'm not allergic to {one}." for one in ("nuts", "eggs", "milk")
    ]
