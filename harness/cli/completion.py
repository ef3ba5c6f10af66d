"""`harness completion`: completion for a shell, made from the parsers themselves."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from harness.cli.parser import Parser

if TYPE_CHECKING:
    from argparse import Namespace

SHELLS = ("bash", "zsh", "fish")

_BASH = """# bash completion of harness; put it in ~/.bashrc: eval "$(harness completion bash)"
_harness() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} command=${{COMP_WORDS[1]}}
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "{commands} --help --version --lang" -- "$word"))
        return
    fi
    case "$command" in
{cases}
    esac
}}
complete -o default -F _harness harness
"""
_BASH_CASE = """    {name})
        COMPREPLY=($(compgen -W "{words}" -- "$word")) ;;"""


def parser(lang: str = "en") -> Parser:
    """The command's arguments."""
    made = Parser(
        "harness completion",
        "harness completion bash|zsh|fish",
        "Print a script that completes commands and options.",
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


def words_of(command: str) -> list[str]:
    """The options of a command, then the words that can stand in its arguments."""
    from harness.cli.main import COMMANDS

    made: Parser = import_module(COMMANDS[command][0]).parser()
    words: list[str] = []
    for action in made.actions():
        words += action.option_strings or [str(choice) for choice in action.choices or ()]
    return words


def bash() -> str:
    """The script for bash."""
    from harness.cli.main import COMMANDS

    cases = "\n".join(_BASH_CASE.format(name=name, words=" ".join(words_of(name))) for name in COMMANDS)
    return _BASH.format(commands=" ".join(COMMANDS), cases=cases)


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
        for word in words_of(name):
            kind = "-l" if word.startswith("--") else "-s" if word.startswith("-") else "-a"
            lines.append(
                f"complete -c harness -n '__fish_seen_subcommand_from {name}' {kind} {word.lstrip('-')}"
            )
    return "\n".join(lines) + "\n"
