"""`harness schema`: JSON Schemas, for editors and for whoever reads the JSON report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harness.cli.parser import Parser

if TYPE_CHECKING:
    from argparse import Namespace

NAMES = (
    "mapping",
    "contract",
    "report",
    "topologies",
    "scenario",
    "waivers",
    "sut",
    "secrets",
    "diff",
    "volatile",
    "history",
)


def parser(lang: str = "en") -> Parser:
    """The command's arguments."""
    made = Parser(
        "harness schema",
        f"harness schema {'|'.join(NAMES)}",
        "Print the JSON Schema of a kind of file. Editors check YAML against it: "
        "`# yaml-language-server: $schema=contract.schema.json` as the file's first line.",
        lang=lang,
        examples=("harness schema contract > contract.schema.json", "harness schema report"),
    )
    made.add_argument("name", choices=NAMES, metavar="NAME", help="one of these kinds")
    return made


def run(args: Namespace, lang: str) -> int:
    """Print the schema."""
    import json

    from harness.cli import terminal

    terminal.show([json.dumps(schema(args.name), indent=2, ensure_ascii=False)])
    return 0


def schema(name: str) -> dict[str, Any]:
    """The schema of that name."""
    if name == "report":
        from harness.report.schema import schema as of_report

        return of_report()
    if name == "contract":
        from harness.rules.contracts import schema as of_contract

        return of_contract()
    if name == "waivers":
        from harness.waivers import schema as of_waivers

        return of_waivers()
    if name == "topologies":
        from harness.topologies import schema as of_topologies

        return of_topologies()
    if name == "scenario":
        from harness.scenario import schema as of_scenario

        return of_scenario()
    if name == "sut":
        from harness.scenario.sut import schema as of_sut

        return of_sut()
    if name == "secrets":
        from harness.capture.redaction.language import schema as of_secrets

        return of_secrets()
    if name == "diff":
        from harness.report.diffschema import schema as of_diff

        return of_diff()
    if name == "volatile":
        from harness.diff.language import schema as of_volatile

        return of_volatile()
    if name == "history":
        from harness.report.historyschema import schema as of_history

        return of_history()
    from harness.mapping.language import File

    return File.model_json_schema(by_alias=True)
