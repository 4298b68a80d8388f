"""Receipts taken away: what was changed, left out or written anew is seen, and what cannot be seen is said."""

import hashlib
import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from consent import ledger
from consent.domains import MASTER, Domain
from consent.notices import canonical
from memoryapp import receipts, signing
from memoryapp.models import SigningKey


@pytest.fixture
def decisions(minji):
    for granted in (False, True, False):
        ledger.decide(minji, MASTER, granted, actor="person", source="my-page")


@pytest.fixture
def check(tmp_path):
    """Write files, run the command on them. → what it says; faults are raised with all they name."""

    def run(*texts, options=("--database",)):
        papers = []
        for number, text in enumerate(texts):
            papers.append(tmp_path / f"{number}.json")
            papers[-1].write_text(text if isinstance(text, str) else json.dumps(text))
        out, faults = StringIO(), StringIO()
        try:
            call_command("verify_receipts", *map(str, papers), *options, stdout=out, stderr=faults)
        except CommandError as error:
            raise CommandError(f"{error}\n{faults.getvalue()}") from error
        return out.getvalue()

    return run


def exported(assistant):
    return assistant.get("export", user_id="minji").getvalue().decode()


def of_page(person):
    decided = receipts.events(person, MASTER)
    return {"receipts": [ledger.receipt(event) for event in decided], "head": receipts.head(decided)}


def rechained(items):
    previous = ""
    for item in items:
        item["previous_sha256"] = previous
        body = {key: value for key, value in item.items() if key != "sha256"}
        previous = item["sha256"] = hashlib.sha256(canonical(body)).hexdigest()
    return items


def test_an_export_and_a_page_are_found_good(minji, assistant, decisions, check):
    assert "Good: 4 receipts" in check(exported(assistant))
    assert "Good: 4 receipts" in check(of_page(minji))


def test_receipts_that_were_all_written_anew_are_seen(minji, decisions, check):
    paper = of_page(minji)
    for item in paper["receipts"]:
        item["granted"], item["at"] = True, "2020-01-01T00:00:00+00:00"
    rechained(paper["receipts"])
    assert ledger.verify(paper["receipts"]) == []  # the chain alone does not tell
    with pytest.raises(CommandError, match="not the receipts that were signed for"):
        check(paper)
    with pytest.raises(CommandError, match="not the receipts that were signed for"):
        check(paper, options=())


def test_a_withdrawal_left_out_at_the_end_is_seen(minji, decisions, check):
    paper = of_page(minji)
    del paper["receipts"][-1]
    with pytest.raises(CommandError, match="4 receipts are signed for, 3 are here"):
        check(paper)


def test_a_whole_domain_left_out_of_an_export_is_seen(minji, assistant, decisions, check):
    ledger.decide(minji, Domain.PROFILE, False, actor="person", source="my-page")
    kept = [line for line in exported(assistant).splitlines() if '"domain": "profile", "service"' not in line]
    with pytest.raises(CommandError, match="profile: 1 receipts are signed for, 0 are here"):
        check("\n".join(kept))


def test_a_receipt_added_after_the_head_was_signed_is_seen(minji, decisions, check):
    paper = of_page(minji)
    later = {**paper["receipts"][-1], "granted": True}
    paper["receipts"] = rechained([*paper["receipts"], later])
    with pytest.raises(CommandError, match="1 receipts are not signed for"):
        check(paper)


def test_a_head_that_somebody_else_signed_proves_nothing(minji, decisions, check, tmp_path):
    paper = of_page(minji)
    rechained(paper["receipts"][:-1])
    ours = tmp_path / "keys.json"
    ours.write_text(json.dumps({"keys": signing.public_keys()}))
    SigningKey.objects.all().delete()
    paper["head"] = of_page(minji)["head"]
    with pytest.raises(CommandError, match="not signed by the key that is believed"):
        check(paper, options=("--keys", str(ours)))
    assert "Whose key that is was not checked" in check(paper, options=())


def test_a_file_without_a_head_is_only_good_as_a_chain(minji, decisions, check):
    old = {"domain": MASTER, "receipts": of_page(minji)["receipts"]}
    said = check(old, options=())
    assert "Good" not in said
    assert "no signed head" in said
    with pytest.raises(CommandError, match="no signed head"):
        check(old)


def test_a_list_of_several_pages_is_checked_as_a_whole(minji, assistant, decisions, check):
    path = "consents/long_term_memory/receipts"
    first = assistant.get(path, user_id="minji", limit=2).json()
    second = assistant.get(path, user_id="minji", limit=2, cursor=first["next"]).json()
    assert "Good: 4 receipts" in check(first, second)
    with pytest.raises(CommandError, match="the receipts before it are not here"):
        check(second)
    with pytest.raises(CommandError, match="4 receipts are signed for, 2 are here"):
        check(first)


def test_nobody_who_decided_nothing_gets_no_head(make_person, assistant):
    make_person("sora", consents=())
    for user_id in ("sora", "nobody"):
        answer = assistant.get("consents/profile/receipts", user_id=user_id).json()
        assert answer == {"items": [], "next": None, "head": None}
