"""`harness completion`: completion for a shell, made from the parsers themselves."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from harness.cli import values
from harness.cli.parser import Parser

if TYPE_CHECKING:
    from argparse import Action, Namespace
    from collections.abc import Iterator

SHELLS = ("bash", "zsh", "fish")

_OWN = 'sh -c "sed -n s/^name:.//p scenarios/*.scenario.yaml 2>/dev/null"'
"""Names of the scenarios of the folder in which the shell is; no Python is started for it."""
# `compgen -W` expands its words as a shell does: of names that stand in files only letters may come through
_BASH = """# bash completion of harness; put it in ~/.bashrc: eval "$(harness completion bash)"
_harness_scenarios() {{
    local own
    own=$({own} | tr -d \\"\\' | grep -x '[[:alnum:]_.+-]*')
    printf '%s\\n' "${{own:-{shipped}}}"
}}
_harness() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} command=${{COMP_WORDS[1]}}
    COMPREPLY=()
    if [ "$word" = = ]; then word=; fi
    if [ "$before" = = ]; then before=${{COMP_WORDS[COMP_CWORD-2]}}; fi
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "{commands} --help --version --lang" -- "$word"))
        return
    fi
    case "$command $before" in
{options}
    esac
    case "$command" in
{cases}
    esac
}}
complete -o default -F _harness harness
"""
_BASH_OPTION = """    {names})
        COMPREPLY=($(compgen -W "{words}" -- "$word")); return ;;"""
_BASH_CASE = """    {name})
        COMPREPLY=($(compgen -W "{words}" -- "$word")) ;;"""


def parser(lang: str = "en") -> Parser:
    """The command's arguments."""
    made = Parser(
        "harness completion",
        "harness completion bash|zsh|fish",
        "Print a script that completes commands and options, and what can stand behind them: contracts, "
        "defects, rules, and the scenarios of the current folder.",
        lang=lang,
        examples=(
            'eval "$(harness completion bash)"',
            "harness completion fish > ~/.config/fish/completions/harness.fish",
        ),
    )
    made.add_argument("shell", choices=SHELLS, metavar="SHELL", help="bash, zsh or fish")
    return made


def run(args: Namespace, lang: str) -> int:
    """Print the script."""
    from harness.cli import terminal

    terminal.show([{"bash": bash, "zsh": zsh, "fish": fish}[args.shell]().rstrip("\n")])
    return 0


def actions(command: str) -> list[Action]:
    """The arguments of a command."""
    from harness.cli.main import COMMANDS

    made: Parser = import_module(COMMANDS[command][0]).parser()
    return made.actions()


def words_of(command: str) -> list[str]:
    """The options of a command, then the words that can stand in its arguments."""
    words: list[str] = []
    for action in actions(command):
        words += action.option_strings or values.of(action, command)
    return words


def bash() -> str:
    """The script for bash."""
    from harness.cli.main import COMMANDS

    scenarios = values.scenarios()
    cases = (_BASH_CASE.format(name=name, words=_bash_words(name, scenarios)) for name in COMMANDS)
    return _BASH.format(
        own=_OWN,
        shipped=" ".join(scenarios),
        commands=" ".join(COMMANDS),
        options="\n".join(_bash_options(COMMANDS)),
        cases="\n".join(cases),
    )


def _bash_words(command: str, scenarios: list[str]) -> str:
    """What completes an argument of the command; for scenarios the folder is asked when it is typed."""
    words = words_of(command)
    if command != "run":
        return " ".join(words)
    return " ".join([*(one for one in words if one not in scenarios), "$(_harness_scenarios)"])


def _bash_options(commands: dict[str, tuple[str, str]]) -> Iterator[str]:
    """A case for each choice of words, with all options behind which it stands."""
    names: dict[str, list[str]] = {}
    for command in commands:
        for action in actions(command):
            words = " ".join(values.of(action, command)) if action.option_strings else ""
            if words:
                names.setdefault(words, []).extend(f'"{command} {one}"' for one in action.option_strings)
    for words, options in names.items():
        yield _BASH_OPTION.format(names="|".join(options), words=words)


def zsh() -> str:
    """The script for zsh, which can read that of bash."""
    return "autoload -U +X bashcompinit && bashcompinit\n" + bash().replace(
        "bash completion", "zsh completion", 1
    )


def fish() -> str:
    """The script for fish."""
    from harness.cli.main import COMMANDS

    lines = ["# fish completion of harness"]
    for name, (_, summary) in COMMANDS.items():
        lines.append(f"complete -c harness -n __fish_use_subcommand -f -a {name} -d '{summary}'")
        for action in actions(name):
            lines += _fish(action, name)
        if name == "run":
            lines.append(f"complete -c harness -n '{_fish_in(name)}' -a '({_OWN})'")
    return "\n".join(lines) + "\n"


def _fish(action: Action, command: str) -> Iterator[str]:
    begin = f"complete -c harness -n '{_fish_in(command)}"
    words = " ".join(values.of(action, command))
    for option in action.option_strings:
        kind = "-l" if option.startswith("--") else "-s"
        more = f" -x -a '{words}'" if words else ""
        yield f"{begin}' {kind} {option.lstrip('-')}{more}"
    if not action.option_strings:
        where = f"{begin}; and not test -d scenarios'" if command == "run" else f"{begin}'"
        yield from (f"{where} -a {word}" for word in words.split())


def _fish_in(command: str) -> str:
    return f"__fish_seen_subcommand_from {command}"
