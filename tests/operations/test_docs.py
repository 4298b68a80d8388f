"""The chapters for operators: whole in both languages, and every command in them is one that is there."""

import html
import re
import subprocess
import sys
from collections.abc import Iterator

import pytest
from django.core.management import get_commands, load_command_class
from django.test import Client

from memoryapp import readiness
from memoryapp.pages.operations import CHAPTERS, tables
from tests.live import PROJECT

pytestmark = pytest.mark.django_db
BLOCK = re.compile(r"<pre tabindex=\"0\"><code>(.*?)</code></pre>", re.DOTALL)
#: Headings that are names, the same in every language.
PROPER = {"systemd", "web", "worker", "Prometheus", "OpenTelemetry"}
INLINE = re.compile(r"<code>(.*?)</code>")


def chapter(client: Client, name: str, language: str = "en") -> str:
    page = client.get(f"/docs/operations/{name}/", headers={"Accept-Language": language})
    assert page.status_code == 200
    return page.content.decode()


def commands(client: Client) -> Iterator[str]:
    """Every line and every inline piece of code in every chapter."""
    for name in CHAPTERS:
        page = chapter(client, name)
        for block in BLOCK.findall(page):
            yield from html.unescape(block).splitlines()
        yield from map(html.unescape, INLINE.findall(page))


@pytest.mark.parametrize("name", ["", *CHAPTERS])
def test_a_chapter_is_whole_in_both_languages(client: Client, name: str) -> None:
    pages = {}
    for language in ("ko", "en"):
        address = f"/docs/operations/{name}/".replace("//", "/")
        page = client.get(address, headers={"Accept-Language": language}).content.decode()
        main = page[page.index("<main") :]
        pages[language] = (len(BLOCK.findall(main)), main.count("<h2"), main.count("<p>"), main.count("<dd>"))
        article = re.sub(r"<pre.*?</pre>", "", main, flags=re.DOTALL)
        for told in re.findall(r"<(?:h1|h2|p|li|dd)\b[^>]*>(.*?)</(?:h1|h2|p|li|dd)>", article, re.DOTALL):
            words = re.sub(r"<code>.*?</code>|<[^>]+>", " ", told, flags=re.DOTALL).strip()
            if words and words not in PROPER:
                assert bool(re.search("[가-힣]", words)) is (language == "ko"), words
        assert len(page.encode()) < 100_000
    assert pages["ko"] == pages["en"]


def test_an_unknown_chapter_is_not_found(client: Client) -> None:
    assert client.get("/docs/operations/nowhere/").status_code == 404


def test_the_docs_lead_to_the_operators_chapters(client: Client) -> None:
    assert 'href="/docs/operations/"' in client.get("/docs/").content.decode()
    index = client.get("/docs/operations/").content.decode()
    for name in CHAPTERS:
        assert f'href="/docs/operations/{name}/"' in index


def test_every_management_command_is_there_with_its_options(client: Client) -> None:
    seen = set()
    known = get_commands()
    for line in commands(client):
        for name, rest in re.findall(r"manage\.py (\w+)([^;&#|]*)", line):
            parser = load_command_class(known[name], name).create_parser("manage.py", name)
            for option in re.findall(r"(?<!\S)--[\w-]+", rest):
                assert option in parser._option_string_actions, (name, option)
            seen.add(name)
    assert seen >= {
        "migrate", "init_vault", "restore_check", "collectstatic", "rotate_master_key", "verify_certificate",
        "verify_receipts", "check", "createsuperuser",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("program", "help_of"),
    [
        ("granian", [["granian"]]),
        ("celery", [["celery"], ["celery", "worker"], ["celery", "beat"]]),
    ],
)
def test_every_option_of_the_servers_is_theirs(
    client: Client, program: str, help_of: list[list[str]]
) -> None:
    told = "".join(
        subprocess.run(
            [sys.executable, "-m", *words, "--help"], capture_output=True, text=True, check=True
        ).stdout
        for words in help_of
    )
    lines = [line for line in commands(client) if re.search(rf"\b{program}\b.*memoryapp\.", line)]
    assert lines
    for line in lines:
        for option in re.findall(r"--[a-z][\w-]*", line):
            assert re.search(rf"(?<![\w-]){option}(?![\w-])", told), option


def test_every_address_and_file_in_the_chapters_is_there(client: Client) -> None:
    for name in CHAPTERS:
        for address in re.findall(r'href="(/[^"#]*)"', chapter(client, name)):
            if not address.startswith("/static/"):
                assert client.get(address).status_code in {200, 302}, address
    assert client.get("/.well-known/memoryapp-keys.json").status_code == 200
    assert (PROJECT / "tests" / "faults" / "test_backup.py").exists()
    assert "server:\n" in (PROJECT / "Makefile").read_text()


def test_the_runbook_knows_every_part_of_readyz() -> None:
    named = {entry["name"] for entry in tables()["runbook"] if "name" in entry}
    parts = set(readiness.report()) - {"status", "degraded"}
    assert parts <= named


def test_the_readme_says_the_same_in_korean() -> None:
    """What is to be typed is the same in both; and each leads to the other."""
    english, korean = ((PROJECT / name).read_text() for name in ("README.md", "README.ko.md"))
    fenced = re.compile(r"```sh\n(.*?)```", re.DOTALL)
    assert len(fenced.findall(english)) >= 4
    assert fenced.findall(korean) == fenced.findall(english)
    assert english.count("\n## ") == korean.count("\n## ") + 1  # how it is built is told in English only
    assert "(README.ko.md)" in english
    assert "(README.md)" in korean
