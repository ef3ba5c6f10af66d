"""Mapping files of a user: what they can say, and what is refused with file, line, path and mend."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import pytest

from harness.errors import MappingError
from harness.mapping.compile import compile_text
from harness.mapping.engine import Mapper
from harness.mapping.load import load
from harness.mapping.schema import schema
from tests.mapping.events import Seen, artifact, bare, seen, status

NEW_SHAPE = """\
mapping: 1
lists:
  user_input_tools: [poll_user]
shapes:
  - id: poll
    about: a shape that no shipped file knows
    at: {key: humanTurn}
    match: {path: what, in: [poll, vote]}
    fields:
      toolCallId: ref.call
      toolName: [tool, ref.tool]
      prompt: ["choices[?(@.first == true)].title", {anywhere: title}]
      agent: {enclosing: owner}
    classify:
      - when: {path: secret, filled: true}
        kind: delegation
        exposure: leaked
      - {kind: user_input, exposure: native}
marks:
  - id: poll-over
    name: remote-status
    at: {member: poll_over}
    fields: {text: $}
"""


def written(tmp_path: Path, text: str, name: str = "mine.yaml") -> str:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_a_shape_that_no_shipped_file_knows(tmp_path: Path) -> None:
    mapper = Mapper(load([written(tmp_path, NEW_SHAPE)]))
    turn = {
        "what": "vote",
        "ref": {"call": "c7", "tool": "poll_user"},
        "choices": [{"title": "A"}, {"first": True, "title": "B"}],
    }
    whole = {"owner": "desk", "inner": {"human_turn": turn, "pollOver": "soon"}}
    for part in ({"data": whole}, {"text": json.dumps(whole)}):
        sightings, marks = mapper.read(artifact(part))
        assert [seen(one) for one in sightings] == [
            Seen("user_input", "native", "c7", "poll_user", "desk", "B")
        ]
        assert [(one.name, one.text, one.shape) for one in marks] == [("remote-status", "soon", "poll-over")]
    [leaked] = mapper.read(artifact({"data": {"humanTurn": {**turn, "secret": 1, "choices": []}}}))[0]
    assert (leaked.kind, leaked.exposure, leaked.shape) == ("delegation", "leaked", "poll")
    assert mapper.read(artifact({"data": {"humanTurn": {"what": "talk"}}})) == ([], [])
    assert mapper.user_input_tools == {"poll_user", "request_user_input", "ask_user"}
    assert mapper.markers is not None
    assert {b'"humanTurn', b'"human_turn', b'"poll_over', b'"pollOver'} <= set(mapper.markers)
    assert mapper.read(artifact({"data": {"type": "__interaction__", "payload": {"id": "x", "value": "?"}}}))[
        0
    ]


def test_a_users_shape_is_tried_before_the_shipped_ones(tmp_path: Path) -> None:
    text = """\
mapping: 1
shapes:
  - id: mine
    at: anywhere
    match: {path: type, is: __interaction__}
    fields: {toolCallId: payload.id}
    classify: [{kind: confirmation, exposure: native}]
"""
    event = artifact({"data": {"type": "__interaction__", "payload": {"id": "x", "value": "?"}}})
    [one] = Mapper(load([written(tmp_path, text)])).read(event)[0]
    assert (one.shape, one.kind, one.tool_call_id) == ("mine", "confirmation", "x")
    [one] = Mapper(load()).read(event)[0]
    assert one.shape == "interaction"


def test_fixed_places_frames_and_containers(tmp_path: Path) -> None:
    text = """\
mapping: 1
channels:
  - {id: my-frames, match: {path: mine, exists: true}, channel: control}
shapes:
  - id: fixed
    at: {path: "status.message.metadata.ask[*]"}
    fields: {toolCallId: id}
    classify: [{kind: user_input, exposure: native}]
  - id: whole
    at: frame
    match: {path: mine, is: 5}
    fields: {prompt: text}
    classify: [{kind: user_input, exposure: native}]
  - id: bag
    at: anywhere
    match: {path: bag, filled: true}
    each: ["bag[*]", "side..member"]
  - id: in-bag
    at: {member_of: bag}
    match: {path: id, exists: true}
    fields: {toolCallId: id, prompt: {event: text}}
    classify:
      - {when: {container: {path: sort, is: hidden}}, kind: delegation, exposure: masked}
      - {kind: client_tool, exposure: native}
"""
    mapper = Mapper(load([written(tmp_path, text)]))
    sightings, _ = mapper.read(
        status(metadata={"ask": [{"id": "a"}, {"id": "b"}], "other": {"ask": [{"id": "c"}]}})
    )
    assert [(one.tool_call_id, one.place.pointer) for one in sightings] == [
        ("a", "/result/statusUpdate/status/message/metadata/ask/0"),
        ("b", "/result/statusUpdate/status/message/metadata/ask/1"),
    ]
    [one] = mapper.read(bare({"mine": 5, "text": "t"}))[0]
    assert (one.shape, one.channel, one.prompt, one.place.pointer) == ("whole", "control", "t", "")
    assert mapper.read(artifact({"data": {"mine": 5}}))[0] == []
    bag: dict[str, Any] = {"bag": [{"id": "1"}, {"no": 2}], "side": {"x": {"member": {"id": "3"}}}, "id": "0"}
    assert [one.tool_call_id for one in mapper.read(artifact({"data": bag}))[0]] == ["1", "3"]
    assert {one.exposure for one in mapper.read(artifact({"data": {**bag, "sort": "hidden"}}))[0]} == {
        "masked"
    }


def refusal(text: str, file: str = "m.yaml") -> str:
    with pytest.raises(MappingError) as caught:
        compile_text(text, file, load_parts())
    return str(caught.value)


def load_parts() -> tuple[Any, ...]:
    from harness.mapping import shipped

    return shipped.MAPPINGS


def shape(body: str) -> str:
    return "mapping: 1\nshapes:\n  - id: s\n" + "".join(f"    {line}\n" for line in body.split("\n"))


CLASSIFY = "classify: [{kind: user_input, exposure: native}]"
PLACE = "at: anywhere"

REFUSALS: list[tuple[str, str]] = [
    ("", "m.yaml:1: the file is empty"),
    ("a: 1\n", "m.yaml:1 $.mapping: `mapping` is missing; add `mapping:`"),
    ("mapping: 2\n", "m.yaml:1 $.mapping: `mapping` has a wrong value; write 1"),
    ("mapping: 1\nshapes: 3\n", "m.yaml:2 $.shapes: `shapes` must be a list; write a list here"),
    ("mapping: 1\nshaeps: []\n", "m.yaml:2 $.shaeps: `shaeps` is not in the vocabulary; did you mean `shapes`? allowed: mapping, "),
    ("mapping: 1\nmapping: 1\n", "m.yaml:2 $.mapping: the key 'mapping' stands twice; keep one of them"),
    ("mapping: 1\nabout: !x y\n", "m.yaml:2 $.about: the tag !x is not known here"),
    ("mapping: 1\nabout: [\n", "m.yaml:3: while parsing a flow node"),
    (shape(PLACE), "m.yaml:3 $.shapes[0]: a shape either classifies its node or opens its members; give one of `classify` and `each`"),
    (shape(f"at: anywher\n{CLASSIFY}"), "m.yaml:4 $.shapes[0].at: `anywher` is no place; write anywhere or frame"),
    (shape(f"at: {{kye: x}}\n{CLASSIFY}"), "m.yaml:4 $.shapes[0].at.kye: `kye` is not in the vocabulary; did you mean `key`?"),
    (shape(f"at: {{key: x, frame: true}}\n{CLASSIFY}"), "m.yaml:4 $.shapes[0].at: a place has one key, this one has frame, key; give one of anywhere, frame, key"),
    (shape(f"at:\n  - anywhere\n  - {{state: working}}\n{CLASSIFY}"), "m.yaml:6 $.shapes[0].at[1].state: `working` is not a value of `state`; allowed: input-required, auth-required"),
    (shape(f"at: {{member_of: btach}}\n{CLASSIFY}"), "m.yaml:4 $.shapes[0].at: there is no container `btach`; did you mean `batch`? known: batch"),
    (shape(f"{PLACE}\nclassify: [{{kind: user_imput, exposure: native}}]"), "m.yaml:5 $.shapes[0].classify[0].kind: `user_imput` is not a value of `kind`; did you mean `user_input`?"),
    (shape(f"{PLACE}\nclassify: common"), "m.yaml:5 $.shapes[0].classify: `common` is not defined in this file; define it, or use one of: none"),
    (shape(f"{PLACE}\nclassify: [{{kind: user_input, exposure: native}}, {{kind: unknown, exposure: native}}]"), "m.yaml:5 $.shapes[0].classify[1]: this case is never reached; give `when` to the one before it"),
    (shape(f"{PLACE}\n{CLASSIFY}\nmatch: {{path: 'a..'}}"), "m.yaml:6 $.shapes[0].match.path: `a..` is no JSONPath (Parse error near the end of string!); write member names joined by dots"),
    (shape(f"{PLACE}\n{CLASSIFY}\nmatch:\n  any:\n    - path: [a, 'b | c']"), "m.yaml:8 $.shapes[0].match.any[0].path[1]: `b | c` uses Union, which mappings do not take; use members"),
    (shape(f"{PLACE}\n{CLASSIFY}\nmatch: {{path: a, anywhere: b}}"), "m.yaml:6 $.shapes[0].match: a condition has one subject, this one has path, anywhere; give one of path,"),
    (shape(f"{PLACE}\n{CLASSIFY}\nmatch: {{path: a, is: x, filled: true}}"), "m.yaml:6 $.shapes[0].match: a condition has one test, this one has filled, is; put two conditions under all"),
    (shape(f"{PLACE}\n{CLASSIFY}\nmatch: {{all: [{{path: a}}], is: x}}"), "m.yaml:6 $.shapes[0].match: `all` takes no test `is`; remove `is`"),
    (shape(f"{PLACE}\n{CLASSIFY}\nmatch: {{path: a, is: [x]}}"), "m.yaml:6 $.shapes[0].match.is: a value is compared with a text, number or boolean"),
    (shape(f"{PLACE}\n{CLASSIFY}\nmatch: {{path: a, in: user_imput_tools}}"), "m.yaml:3 $.shapes[0]: there is no list `user_imput_tools`; did you mean `user_input_tools`?"),
    (shape(f"{PLACE}\n{CLASSIFY}\nmatch: {{}}"), "m.yaml:6 $.shapes[0].match: a condition has one subject, this one has none"),
    (shape(f"{PLACE}\n{CLASSIFY}\nfields: {{toolCallld: x}}"), "m.yaml:6 $.shapes[0].fields.toolCallld: `toolCallld` is not a value of `toolCallld`; did you mean `toolCallId`?"),
    (shape(f"{PLACE}\n{CLASSIFY}\nfields: {{prompt: [a, {{path: b, event: text}}]}}"), "m.yaml:6 $.shapes[0].fields.prompt[1]: a source has one key, this one has event, path"),
    (shape(f"{PLACE}\n{CLASSIFY}\nfields: {{prompt: {{evnt: text}}}}"), "m.yaml:6 $.shapes[0].fields.prompt.evnt: `evnt` is not in the vocabulary; did you mean `event`?"),
    (shape(f"{PLACE}\neach: '$'"), "m.yaml:5 $.shapes[0].each: `$` does not lead downward; write a path like items[*]"),
    (shape(f"{PLACE}\neach: 'a[*]'\nfields: {{prompt: x}}"), "m.yaml:3 $.shapes[0]: a container has no fields of its own"),
    (shape(f"{PLACE}\n{CLASSIFY}\nreading: request"), "m.yaml:6 $.shapes[0].reading: `request` is not defined in this file"),
    ("mapping: 1\nshapes:\n  - id: batch\n    at: anywhere\n    " + CLASSIFY + "\n", "m.yaml:3 $.shapes[0].id: the id `batch` is taken; choose another id"),
    ("mapping: 1\nshapes:\n  - id: My Shape\n    at: anywhere\n    " + CLASSIFY + "\n", "m.yaml:3 $.shapes[0].id: `My Shape` is no id; use a to z, 0 to 9 and `-`"),
    ("mapping: 1\nmarks:\n  - {id: m, name: failed, at: anywhere}\n", "m.yaml:3 $.marks[0].name: `failed` is not a value of `name`; did you mean `failure`? allowed: remote-output"),
    ("mapping: 1\nmarks:\n  - {id: m, name: failure, at: anywhere, outside: remot}\n", "m.yaml:3 $.marks[0].outside: there is no scope `remot`; did you mean `remote`?"),
    ("mapping: 1\nmarks:\n  - {id: m, name: failure, at: anywhere, fields: {agent: x}}\n", "m.yaml:3 $.marks[0].fields.agent: `agent` is not a value of `agent`; did you mean `target`?"),
    (shape(f"{PLACE}\n{CLASSIFY}\nmatch:"), "m.yaml:6 $.shapes[0].match: the key has no value; give one, or remove the key"),
    (shape(f"{PLACE}\n{CLASSIFY}\nmatch: {{path: }}"), "m.yaml:6 $.shapes[0].match.path: the key has no value"),
    (shape(f"{PLACE}\n{CLASSIFY}\nmatch: {{all: []}}"), "m.yaml:6 $.shapes[0].match.all: `all` must be at least one value"),
    (shape(f"{PLACE}\nclassify: [{{kind: user_input}}]"), "m.yaml:5 $.shapes[0].classify[0].exposure: `exposure` is missing; add `exposure:`"),
    ("mapping: 1\nscopes:\n  - {id: x, at: {member_of: batch}}\n", "m.yaml:3 $.scopes[0].at.member_of: `member_of` is not in the vocabulary; allowed: anywhere, frame, key, path, when"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "said"), REFUSALS)
def test_refusals_name_file_line_path_and_mend(text: str, said: str) -> None:
    told = refusal(text)
    assert told.startswith(said), told
    assert text == "" or "; " in told or "while parsing" in told


def test_several_faults_are_counted() -> None:
    assert refusal("mapping: 1\nshapes:\n  - {}\n").endswith("(1 more after this one)")


def test_files_that_can_not_be_read(tmp_path: Path) -> None:
    with pytest.raises(MappingError, match=r"absent\.yaml: the file cannot be read"):
        load([str(tmp_path / "absent.yaml")])
    with pytest.raises(MappingError, match="the file cannot be read"):
        load([str(tmp_path)])
    path = tmp_path / "latin.yaml"
    path.write_bytes(b"mapping: 1\nabout: caf\xe9\n")
    with pytest.raises(MappingError, match=r"latin\.yaml:2: the file is not UTF-8; save it as UTF-8"):
        load([str(path)])
    path.write_bytes(b"\xef\xbb\xbfmapping: 1\r\n")
    assert load([str(path)]).shapes == load().shapes


def test_later_files_see_earlier_ones(tmp_path: Path) -> None:
    first = written(
        tmp_path,
        "mapping: 1\nshapes:\n  - {id: box, at: anywhere, match: {path: box}, each: 'box[*]'}\n",
        "1.yaml",
    )
    second = written(
        tmp_path, "mapping: 1\nshapes:\n  - {id: boxed, at: {member_of: box}, " + CLASSIFY + "}\n", "2.yaml"
    )
    assert [one.id for one in load([first, second]).shapes[:2]] == ["box", "boxed"]
    with pytest.raises(MappingError, match="there is no container `box`"):
        load([second])
    with pytest.raises(MappingError, match="the id `box` is taken"):
        load([first, first])


def test_a_compiled_mapping_is_plain_and_picklable() -> None:
    mapping = compile_text(NEW_SHAPE, "m.yaml", load_parts())
    assert pickle.loads(pickle.dumps(mapping)) == mapping


def test_the_schema_takes_the_shipped_files() -> None:
    import jsonschema
    import yaml

    from harness.mapping import shipped

    validator = jsonschema.Draft202012Validator(schema())
    validator.check_schema(schema())
    for text in shipped.SOURCES.values():
        validator.validate(yaml.safe_load(text))
    assert list(validator.iter_errors({"mapping": 1, "shaeps": []}))
