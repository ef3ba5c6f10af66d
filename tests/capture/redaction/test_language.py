"""`secrets.yaml`: what it adds, and how a mistake in it is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness.capture.redaction import Redactor, generate, load
from harness.capture.redaction.compile import SecretsError, compile_text
from harness.capture.redaction.tables import Tables, folded
from harness.errors import UsageError

OWN = """\
secrets: 1
names:
  - {kind: licence, named: [licence number, "* ticket"], except: [support ticket], in: [member]}
  - {kind: licence, named: qx, in: [query]}
shapes:
  - {kind: acme-key, begins: acme_, then: "A-Z0-9", least: 12}
"""


@pytest.fixture
def own(tmp_path) -> str:
    path = tmp_path / "own.yaml"
    path.write_text(OWN, encoding="utf-8")
    return str(path)


def test_the_shipped_file_is_compiled_ahead_and_fresh():
    assert generate.TARGET.read_text(encoding="utf-8") == generate.rendered()
    assert generate.main(["--check"]) == 0


def test_a_stale_one_is_told(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(generate, "TARGET", tmp_path / "shipped.py")
    assert generate.main(["--check"]) == 1
    assert "is stale" in capsys.readouterr().err
    assert generate.main([]) == 0
    assert generate.main(["--check"]) == 0


def test_own_names_and_shapes_come_beside_the_shipped_ones(own):
    redactor = Redactor(load(own), b"k")
    text = '{"licenceNumber":"a","one_ticket":"b","supportTicket":"c","apiKey":"d","t":"acme_AB12CD34EF56 acme_x"}'
    held = json.loads(redactor.text(text))
    assert [held[name].partition(":")[2].partition(":")[0] for name in ("licenceNumber", "one_ticket", "apiKey")] == [
        "licence", "licence", "api-key",
    ]  # fmt: skip
    assert held["supportTicket"] == "c"
    assert held["t"].startswith("<secret:acme-key:")
    assert held["t"].endswith(" acme_x")
    assert redactor.headers([("licence-number", "a")]) == (("licence-number", "a"),)
    assert redactor.target("/x?qx=1").startswith("/x?qx=<secret:licence:")


def test_a_copy_of_the_shipped_file_adds_nothing():
    assert load(str(generate.SOURCE)) is load()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("secrets: 2\n", "own.yaml:1 $.secrets"),
        ("names: []\n", "'secrets': Field required"),
        (
            "secrets: 1\nnames:\n  - {kind: x, named: [API-Key]}\n",
            "own.yaml:3 $.names[0].named: `API-Key` is no name",
        ),
        ("secrets: 1\nnames:\n  - {kind: X Y, named: [a]}\n", "own.yaml:3 $.names[0].kind"),
        ("secrets: 1\nnames:\n  - {kind: x, named: [a], on: [member]}\n", "'on' is no word of this file"),
        ("secrets: 1\nnames:\n  - {kind: x, named: [a], in: [cookie]}\n", "own.yaml:3 $.names[0].in[0]"),
        (
            "secrets: 1\nshapes:\n  - {kind: x, begins: abc}\n",
            "own.yaml:3 $.shapes[0]: a run needs begins, then",
        ),
        ("secrets: 1\nshapes:\n  - {kind: x, begins: abc, then: a-z, least: 2}\n", "least of 8 or more"),
        ("secrets: 1\nshapes:\n  - {kind: x, begins: ab, then: a-z, least: 9}\n", "3 to 32 printable"),
        ("secrets: 1\nshapes:\n  - {kind: x, begins: abc, then: 'z-a', least: 9}\n", "bad character range"),
        ("secrets: 1\nshapes:\n  - {kind: x, begins: abc, then: '[', least: 9}\n", "letters, digits and"),
        ("secrets: 1\nshapes:\n  - {kind: x, build: jwt, least: 9}\n", "jwt is built in"),
        ("secrets: 1\nsecrets: 1\n", "stands twice"),
        ("secrets: [\n", "own.yaml"),
        ("", "the file is empty"),
    ],
)
def test_mistakes_are_told_with_their_place(text, told):
    with pytest.raises(SecretsError) as caught:
        compile_text(text, "own.yaml")
    assert told in str(caught.value)
    assert caught.value.exit_code == 2


def test_files_that_can_not_be_read_are_told(tmp_path):
    for path, raw in (("none.yaml", None), ("large.yaml", b"#" * 300_000), ("latin.yaml", b"# \xe9\n")):
        if raw is not None:
            (tmp_path / path).write_bytes(raw)
        with pytest.raises(UsageError) as caught:
            load(str(tmp_path / path))
        assert path in str(caught.value)


@pytest.mark.parametrize("name", ["X-Api-Key", "x_api_key", "xApiKey", "X API key", "x.api.key"])
def test_spellings_of_a_name_are_one(name):
    assert folded(name.encode()) == "xapikey"


def test_each_shipped_name_holds_a_word_that_is_looked_for():
    """A name without one would never be met in a body."""
    secrets = load()
    for name in secrets.names:
        for one in (*name.exact, *name.endings):
            assert any(word in f"{one}=" for word in secrets.words), one


def test_tables_are_made_once():
    from harness.capture.redaction.tables import tables

    assert tables(load()) is tables(load())
    assert isinstance(tables(load()), Tables)


def test_the_page_names_each_kind():
    page = (Path(__file__).parents[3] / "docs" / "secrets.md").read_text(encoding="utf-8")
    kinds = {one.kind for one in (*load().names, *load().shapes)}
    assert {kind for kind in kinds if f"`{kind}`" not in page} == set()
