"""The argument parser of every command: one form of help, and mistakes as `UsageError`."""

from __future__ import annotations

from argparse import SUPPRESS, Action, ArgumentParser, RawDescriptionHelpFormatter
from typing import TYPE_CHECKING, NoReturn

from harness.cli.words import words
from harness.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable


class Parser(ArgumentParser):
    """`usage` is written by hand: the same text from every Python version, docs rely on it."""

    def __init__(
        self,
        prog: str,
        usage: str,
        description: str,
        *,
        lang: str = "en",
        body: str = "",
        examples: tuple[str, ...] = (),
        exits: tuple[int, ...] = (0, 2, 4),
    ) -> None:
        self.words = words(lang)
        super().__init__(
            prog=prog,
            usage=usage,
            description=description,
            epilog=self._epilog(examples, exits),
            formatter_class=_Formatter,
            add_help=False,
            allow_abbrev=False,
        )
        self.body = body
        self.examples = examples
        self._positionals.title = self.words["help.arguments"]
        self._optionals.title = self.words["help.options"]
        text = "show this help and leave"
        self.add_argument("-h", "--help", action=_Help if " " in prog else "store_true", help=text)
        self.add_argument("--lang", choices=("en", "zh"), help="language of what people read (by locale)")

    def _epilog(self, examples: tuple[str, ...], exits: tuple[int, ...]) -> str:
        lines = [f"{self.words['help.examples']}:", *(f"  {one}" for one in examples), ""]
        lines += [f"{self.words['help.exits']}:"]
        lines += [f"  {code}  {self.words[f'exit.{code}']}" for code in exits]
        return "\n".join(lines)

    def format_help(self) -> str:
        """Usage, description, arguments, options, examples, exit codes; headings by language."""
        parts = [f"{self.words['help.usage']}: {self.usage}", _filled(self.description or ""), self.body]
        for group in self._action_groups:
            formatter = self._get_formatter()
            formatter.start_section(group.title)
            formatter.add_arguments(group._group_actions)
            formatter.end_section()
            parts.append(formatter.format_help().strip("\n"))
        return "\n\n".join(part for part in [*parts, self.epilog or ""] if part) + "\n"

    def error(self, message: str) -> NoReturn:
        """A mistake on the command line, with the option that was perhaps meant."""
        unknown = message.removeprefix("unrecognized arguments: ")
        mend = f"see `{self.prog} --help`"
        if unknown != message:
            word = unknown.split()[0]
            near = nearest(word.split("=")[0], self._option_string_actions)
            message = f"{word} is not known here"
            mend = f"did you mean {near}? {mend}" if near else mend
        raise UsageError(message, mend=mend)

    def actions(self) -> list[Action]:
        """All arguments that `--help` shows."""
        return [action for action in self._actions if action.help != SUPPRESS]


class _Help(Action):
    """`--help` of a command."""

    def __init__(self, option_strings: list[str], dest: str, help: str | None = None) -> None:
        super().__init__(option_strings, SUPPRESS, nargs=0, default=SUPPRESS, help=help)

    def __call__(self, parser: ArgumentParser, *_: object) -> None:
        from harness.cli import terminal

        terminal.show([parser.format_help().rstrip()])
        parser.exit()


class _Formatter(RawDescriptionHelpFormatter):
    def __init__(self, prog: str, **_: object) -> None:
        super().__init__(prog, max_help_position=28, width=96)

    def _format_action_invocation(self, action: Action) -> str:
        """`-o, --output FILE` in every Python version."""
        if not action.option_strings:
            return str(action.metavar or action.dest)
        names = ", ".join(action.option_strings)
        if action.nargs == 0:
            return names
        metavar = action.metavar or ("|".join(action.choices) if action.choices else action.dest.upper())
        return f"{names} {metavar}"


def _filled(text: str, width: int = 96) -> str:
    from harness.report.cells import wrap

    return "\n".join(line for part in text.split("\n") for line in wrap(part, width))


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The one of `known` that is most like `word`; None where none is."""
    from difflib import get_close_matches

    lower = {name.lower(): name for name in known}
    found = get_close_matches(word.lower(), list(lower), 1, 0.6)
    return lower[found[0]] if found else None
