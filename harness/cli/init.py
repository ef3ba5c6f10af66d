"""`harness init`: the files of a project that runs, records and gates on a system of yours."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from harness.cli.initial.project import CI, KINDS, PROTOCOLS, SEND
from harness.cli.parser import Parser
from harness.cli.record import said
from harness.errors import UsageError

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Mapping

    from harness.cli.initial.asking import Asking
    from harness.cli.initial.project import Project, Remote

GITLAB = ".gitlab-ci.yml"
_IGNORED = "captures/run-*/\nreports/\n"


def parser(lang: str = "en") -> Parser:
    """The command's arguments."""
    made = Parser(
        "harness init",
        "harness init [DIR] [--entry URL] [options]",
        "Write what a project needs to run on a system of yours: its topology, where it lives, a first "
        "scenario, waivers, settings, and a job for a CI system. The agent's card is read where it can be "
        "reached; nothing is sent to the agent. Without --entry all is asked for on the terminal; with it "
        "nothing is. What is there already is never written over, but with --force.",
        lang=lang,
        examples=(
            "harness init",
            "harness init --entry http://127.0.0.1:18080/a2a --kind deepagent --ci gitlab",
            "harness init sit --entry http://127.0.0.1:18080 --remote search-agent=http://127.0.0.1:18081/a2a",
        ),
    )
    add = made.add_argument
    add("folder", nargs="?", default=".", metavar="DIR", help="where to write (the current folder)")
    add("--entry", metavar="URL", help="where the entry agent takes requests, or serves its card")
    add("--name", metavar="NAME", help="of the topology and its entry agent (as the card or the folder says)")
    text = "an agent that the entry agent calls; may be repeated"
    add("--remote", metavar="NAME=URL", action="append", default=[], help=text)
    add("--kind", choices=KINDS, help="how the entry agent is built (unknown)")
    add("--protocol", choices=PROTOCOLS, help="what is spoken with it (as the card says)")
    add("--contract", metavar="NAME|FILE", help="what must hold: masked (default), symmetric, unified, a2a")
    add("--ci", choices=CI, help="write a job for it (none)")
    add("--send", metavar="TEXT", help=f"first message of the first scenario ({SEND})")
    add("--force", action="store_true", help="write over what is there")
    add("--dry-run", action="store_true", help="show the files and write none")
    return made


def run(args: Namespace, lang: str) -> int:
    """Ask, read the card, write, tell what comes next."""
    from harness.cli.initial import files

    project = _project(args, lang)
    made, more = _planned(args.folder, project)
    files.checked(made, os.environ)
    if args.dry_run:
        _show(args.folder, made, more)
        return 0
    _refuse(args, made)
    _write(args, made, more, lang)
    _next(args.folder, project, lang)
    return 0


def _project(args: Namespace, lang: str) -> Project:
    """The facts; raises `UsageError` for those that are wrong, or that nobody can be asked for."""
    from harness.cli.initial.asking import Asking

    on = args.entry is None
    if on and not sys.stdin.isatty():
        what = "--entry is missing, and standard input is no terminal to ask on"
        raise UsageError(what, mend="harness init --entry http://HOST:PORT/PATH")
    try:
        return _asked(args, Asking(lang, on=on), lang)
    except EOFError:
        raise UsageError("standard input ended before all was told", mend="tell it with options") from None


def _asked(args: Namespace, asking: Asking, lang: str) -> Project:
    from harness.cli.initial import project as facts

    entry = asking.fact("entry", args.entry, "", facts.url)
    url, protocol, called = _reached(entry, args, lang)
    name = asking.fact("name", args.name, facts.named(called, facts.folder_name(args.folder)), facts.name)
    kind = asking.choice("kind", args.kind, "unknown", KINDS)

    def remotes(texts: list[str]) -> tuple[Remote, ...]:
        return facts.remotes(texts, name)

    others = remotes(asking.several("remote", args.remote, remotes))
    contract = asking.fact("contract", args.contract, "masked", facts.contract)
    ci = asking.choice("ci", args.ci, "none", CI)
    send = asking.fact("send", args.send, SEND, str)
    return facts.Project(name, url, protocol, kind, others, contract, ci, send)


def _reached(entry: str, args: Namespace, lang: str) -> tuple[str, str, str]:
    """Address, protocol and name of the entry agent, as its card says, as far as it can be read."""
    from harness.cli.initial.card import read

    wanted = args.protocol or "auto"
    if "${" in entry:
        return entry, wanted, ""
    card = read(entry, wanted)
    if isinstance(card, str):
        said(lang, "init.no_card", why=card, url=entry, protocol=wanted)
        return entry, wanted, ""
    spoken = ", ".join(card.protocols)
    said(lang, "init.card", place=card.place, name=card.name, spoken=spoken, url=card.url)
    return card.url, args.protocol or card.protocol, card.name


def _planned(folder: str, project: Project) -> tuple[dict[str, str], dict[str, str]]:
    """The files that are ours, and those that a project may have of its own: these are added to by hand."""
    from harness.cli.initial import files, present

    made = files.files(project)
    own = present.pytest_settings(folder)
    more = {".gitignore": _IGNORED}
    more[own or files.PYTEST] = files.pytest_lines(own) if own else files.template(files.PYTEST)
    if project.ci == "gitlab":
        more[GITLAB] = f"include:\n  - local: {files.CI_FILES['gitlab'][0]}\n"
    return made, more


def _refuse(args: Namespace, made: Mapping[str, str]) -> None:
    from harness.cli.initial.present import existing

    there = existing(args.folder, made)
    if there and not args.force:
        what = f"nothing was written: {', '.join(there)} in {args.folder} is there already"
        raise UsageError(what, mend="--force writes over it, and DIR names another folder")


def _write(args: Namespace, made: Mapping[str, str], more: Mapping[str, str], lang: str) -> None:
    from harness.cli.initial import present

    for path, text in made.items():
        present.write(args.folder, path, text, force=args.force)
        said(lang, "written", path=os.path.join(args.folder, path))
    for path, text in more.items():
        if not os.path.lexists(os.path.join(args.folder, path)):
            present.write(args.folder, path, text, force=False)
            said(lang, "written", path=os.path.join(args.folder, path))
        elif present.lacks(args.folder, path, text):
            said(lang, "init.add", path=os.path.join(args.folder, path))
            sys.stderr.write("".join(f"    {line}\n" for line in text.splitlines()))


def _show(folder: str, made: Mapping[str, str], more: Mapping[str, str]) -> None:
    """The files as they would be; a plus before those that are there and would be added to by hand."""
    from harness.cli import terminal

    added = {
        f"+ {path}" if os.path.lexists(os.path.join(folder, path)) else path: more[path] for path in more
    }
    terminal.show(line for path, text in {**made, **added}.items() for line in (f"==> {path}", text))


def _next(folder: str, project: Project, lang: str) -> None:
    from harness.cli import terminal
    from harness.cli.initial.files import SUT, listener
    from harness.cli.words import words

    for one in project.remotes:
        said(lang, "init.listen", entry=project.name, name=one.name, url=one.url, listener=listener(one))
    commands = [f"harness run --sut {SUT}", "pytest", "harness check --watch captures"]
    if os.path.abspath(folder) != os.getcwd():
        commands.insert(0, f"cd {folder}")
    terminal.show([words(lang)["demo.next"], *(f"  {one}" for one in commands)])
