"""Korean and English are complete: no string without its Korean, no Korean that was not compiled."""

import ast
import gettext
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.admin.utils import label_for_field
from django.test import Client
from django.utils.translation import override, template

from memoryapp import keys, revisions
from memoryapp.admin import ReadOnly
from memoryapp.labels import ACTIONS
from tests.conftest import Runtime

ROOT = Path(__file__).resolve().parent.parent.parent
CATALOGUE = ROOT / "memoryapp" / "locale" / "ko" / "LC_MESSAGES"
CODE = re.compile(r'(?:audit\.note\(\s*[\w()]+,|action(?:: str)? ?=)\s*"([\w.-]+\.[\w-]+)"')
MARKS = {"_", "gettext", "gettext_lazy", "gettext_noop", "ngettext", "ngettext_lazy", "pgettext"}


@pytest.fixture(scope="module")
def korean() -> dict[Any, str]:
    """The compiled catalogue, as Django reads it."""
    with (CATALOGUE / "django.mo").open("rb") as file:
        catalogue: dict[Any, str] = gettext.GNUTranslations(file)._catalog  # type: ignore[attr-defined]
    return catalogue


def in_python() -> Iterator[str]:
    """Every literal that is marked for translation in our modules."""
    for app in ("memoryapp", "consent", "speakers"):
        for path in (ROOT / app).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Call) and _name(node.func) in MARKS and node.args:
                    first = node.args[0]
                    if isinstance(first, ast.Constant) and isinstance(first.value, str):
                        yield first.value


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def in_templates() -> Iterator[str]:
    """What makemessages would find in our templates, by the same reader."""
    for path in (*(ROOT / "templates").rglob("*.html"), *(ROOT / "templates" / "account").rglob("*.txt")):
        source = template.templatize(path.read_text())
        for found in re.finditer(r"n?gettext\((u?(?:'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"))", source):
            yield str(ast.literal_eval(found[1]))


def entries() -> Iterator[tuple[str, str]]:
    """(msgid, first msgstr) of the source catalogue."""
    for block in (CATALOGUE / "django.po").read_text().split("\n\n")[1:]:
        lines = [line for line in block.splitlines() if not line.startswith("#")]
        text = "\n".join(lines)
        yield _read(text, "msgid"), _read(text, r"msgstr(?:\[0\])?")


def _read(text: str, key: str) -> str:
    found = re.search(rf'^{key} ((?:".*"\n?)+)', text, re.M)
    return "".join(ast.literal_eval(line) for line in found[1].splitlines()) if found else ""


def test_every_string_of_code_and_templates_has_its_korean(korean: dict[Any, str]) -> None:
    missing = {
        text for text in (*in_python(), *in_templates()) if text not in korean and (text, 0) not in korean
    }
    assert missing == set()


def test_the_compiled_catalogue_is_what_the_source_says(korean: dict[Any, str]) -> None:
    source = dict(entries())
    compiled = {key if isinstance(key, str) else key[0]: text for key, text in korean.items() if key}
    assert source == compiled, "run `make messages`"
    assert all(source.values())
    assert "fuzzy" not in (CATALOGUE / "django.po").read_text()


def test_placeholders_survive_the_translation() -> None:
    for english, korean in entries():
        names = re.compile(r"%\(\w+\)[sd]|\{\w+\}")
        assert set(names.findall(english)) == set(names.findall(korean)), english


def test_korean_is_korean_and_english_is_english(at_minjis: Client) -> None:
    hangul = re.compile("[가-힣]")
    for path in (
        "/me/memories/",
        "/me/activity/",
        "/me/settings/",
        "/me/import/",
        "/me/undo/",
        "/me/voices/",
    ):
        for language in ("ko", "en"):
            page = at_minjis.get(path, headers={"accept-language": language}).content.decode()
            main = re.sub(r"<[^>]+>|Asia/\S+", " ", page[page.index("<main") :])
            assert bool(hangul.search(main)) is (language == "ko"), (path, language)


def test_operators_read_one_language_too() -> None:
    registered = admin.site._registry.items()
    listed = {apps.get_app_config(model._meta.app_label) for model, _its_admin in registered}
    assert {app.label for app in listed} >= {"memoryapp", "consent", "speakers", "axes", "mfa", "account"}
    same_in_both = {"ID", "SHA-256"}
    with override("ko"):
        said = [str(app.verbose_name) for app in listed]
        for model, its_admin in registered:
            said += [str(model._meta.verbose_name), str(model._meta.verbose_name_plural)]
            columns = its_admin.shown if isinstance(its_admin, ReadOnly) else its_admin.list_display
            said += [str(label_for_field(str(name), model, its_admin)) for name in columns]
    assert {word for word in said if not re.search("[가-힣]", word)} <= same_in_both


def test_what_admins_did_is_told_in_words(assistant: Runtime, admin_of: Any) -> None:
    browser = admin_of(assistant)
    revisions.edit(revisions.draft(assistant.service), recall_top_k=3)
    keys.issue(assistant.service, ["recall", "turns"])
    page = browser.get("/console/services/assistant/", headers={"accept-language": "ko"}).content.decode()
    assert "초안을 고침" in page
    assert "한 번에 꺼낼 개수" in page
    assert "revision.edit" not in page
    told = page[page.index('id="actions-title"') :]
    assert "키를 발급함" in told
    assert "기억 꺼내 쓰기, 대화 보고" in told
    assert "recall" not in told
    noted = {code for path in (ROOT / "memoryapp").rglob("*.py") for code in CODE.findall(path.read_text())}
    assert "key.rotate" in noted
    assert noted <= set(ACTIONS)


def test_the_language_switch_is_remembered(minji: Any, at_minjis: Client) -> None:
    at_minjis.post("/language/", {"language": "ko", "next": "/me/memories/"})

    assert 'lang="ko"' in at_minjis.get("/me/memories/").content.decode()
    minji.refresh_from_db()
    assert minji.language == "ko"


def test_the_switch_leads_nowhere_else(client: Client) -> None:
    answer = client.post("/language/", {"language": "ko", "next": "https://evil.example/"})
    assert "evil.example" not in answer.headers["Location"]


@pytest.mark.parametrize(
    ("language", "minutes", "said"),
    [
        ("ko", 3, "3분 전"),
        ("en", 1, "1 minute ago"),
        ("ko", 60 * 26, "1일 전"),
        ("en", 60 * 5, "5 hours ago"),
    ],
)
def test_how_long_ago_is_said_in_the_readers_language(language: str, minutes: int, said: str) -> None:
    from datetime import timedelta

    from django.utils import timezone

    from memoryapp.templatetags.pages import ago

    with override(language):
        assert said in str(ago(timezone.now() - timedelta(minutes=minutes)))
