"""The docs page shows the how-tos, in both languages, with the code as it is."""

import pytest


@pytest.mark.parametrize(("language", "heading"), [("ko", "에이전트 연결하기"), ("en", "Connect an agent")])
def test_the_docs_page_shows_the_howtos(client, db, language, heading):
    page = client.get("/docs/", headers={"Accept-Language": language}).content.decode()
    assert heading in page
    assert "{{$vars.user_id}}" in page
    assert 'data-howto="chat"' in page
    assert "mk_YOUR_KEY" in page


@pytest.mark.parametrize(("language", "heading"), [("ko", "측정 결과"), ("en", "Measured")])
def test_what_was_measured_is_told_as_it_was_printed(client, db, language, heading):
    page = client.get("/docs/measured/", headers={"Accept-Language": language}).content.decode()
    assert f"<h1>{heading}</h1>" in page
    for command in ("make eval", "make bench", "python -m tests.bench.load"):
        assert command in page
    assert "nDCG@10" in page
