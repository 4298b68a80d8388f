"""Words after which nothing of the session is remembered, and words that allow it again."""

import pytest

from memoryapp.extract.rules.hushing import mark


@pytest.mark.parametrize("text", [
    "지금부터 하는 얘기는 기억하지 마", "이제부터 하는 말은 저장하지 말아줘", "지금부터는 아무것도 기록하지 마세요", "이 대화는 기억하지 마", "앞으로 하는 말 기억하지 말아 줘", "From now on, don't remember what I say",
    "Don't remember anything I say from now on", "stop remembering this conversation", "Don't save this conversation please", "Don't save anything until I say so",
])  # fmt: skip
def test_from_here_on(text):
    assert mark(text) == "from"


@pytest.mark.parametrize("text", ["이제 다시 기억해도 돼", "이제 기억해도 돼", "다시 기억해줘", "이제부터는 다시 저장해도 돼요", "You can remember again", "ok you can start remembering again", "Back on the record now"])  # fmt: skip
def test_until_here(text):
    assert mark(text) == "until"


@pytest.mark.parametrize("text", [
    "이건 기억하지 마", "방금 한 말은 기억하지 마", "지금까지 한 얘기는 전부 잊어줘", "이제 내 생일은 5월 3일이니까 기억해줘", "다시 기억해도 돼?", "Please don't remember this", "Forget everything I said", "I can't remember again", "지금부터 공부할 거야",
])  # fmt: skip
def test_neither(text):
    assert mark(text) == ""
