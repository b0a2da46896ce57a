"""`tallyroom`: finds the command by name, and says in one sentence what went wrong."""

from __future__ import annotations

import errno
import os
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from tallyroom import __version__
from tallyroom.cli import terminal
from tallyroom.faults import TallyroomError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

CANNOT = 2
"""Exit code: what was asked for cannot be carried out."""
BUG = 70
"""Exit code: the fault is Tallyroom's own (`EX_SOFTWARE` of sysexits.h)."""
INTERRUPTED = 130
"""Exit code: stopped from the keyboard (128 + SIGINT)."""
PIPE_CLOSED = 141
"""Exit code: the reader went away (128 + SIGPIPE)."""


@dataclass(frozen=True, slots=True)
class Subcommand:
    """Where a command's code is, and the line that `--help` shows without importing it."""

    module: str
    attribute: str
    line: str


SUBCOMMANDS: Mapping[str, Subcommand] = {
    "award": Subcommand("tallyroom.cli.award", "command", "Award one place's delegates and explain every step."),
    "check": Subcommand("tallyroom.cli.check", "command", "List what is wrong with the reports of a contest."),
    "claims": Subcommand("tallyroom.cli.claims", "command", "Decide what others called irregular, with the reasons."),
    "import": Subcommand("tallyroom.cli.import_files", "command", "Read the files that counties send, row by row."),
    "ledger": Subcommand("tallyroom.cli.ledger", "command", "Verify a ledger, or export its entries."),
    "night": Subcommand("tallyroom.cli.night", "command", "Replay a recorded night, release by release."),
    "plan": Subcommand("tallyroom.cli.plan", "command", "Check, show or begin a contest's plan."),
    "tabulate": Subcommand("tallyroom.cli.tabulate", "command", "Add up a contest on every yardstick, as of any time."),
}


class LazyGroup(click.Group):
    """A group that imports a command when it is called, not when it is listed."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's shape
        """Name the commands in alphabetical order."""
        return sorted(SUBCOMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's shape
        """Import a command; None if there is none of that name."""
        found = SUBCOMMANDS.get(cmd_name)
        if found is None:
            return None
        from importlib import import_module  # noqa: PLC0415 - `--help` imports no command

        command = getattr(import_module(found.module), found.attribute)
        assert isinstance(command, click.Command), f"{found.module}.{found.attribute} is not a command"
        _accept_wishes(command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command to run; an unknown name is answered with the closest one."""
        name = args[0]
        if name in SUBCOMMANDS or name.startswith("-") or ctx.resilient_parsing:
            return super().resolve_command(ctx, args)
        from tallyroom.plan.closest import nearest  # noqa: PLC0415 - only a slip of the keyboard needs it

        near = nearest(name, SUBCOMMANDS, alike=0.5)
        hint = f"Did you mean `{near}`?" if near else f"There are {', '.join(sorted(SUBCOMMANDS))}."
        raise click.UsageError(f"there is no command {name!r}. {hint}", ctx)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands from the table alone."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, SUBCOMMANDS[name].line) for name in self.list_commands(ctx)])


def _wish(context: click.Context, parameter: click.Parameter, value: bool) -> None:  # noqa: FBT001 - click's shape
    wishes = context.find_object(terminal.Wishes)
    if value and wishes is not None and parameter.name:
        setattr(wishes, parameter.name, True)


def _wish_options() -> list[click.Parameter]:
    """Give the options that every command understands, before its name or after."""
    lines = {
        "--quiet": "Print results and errors only.",
        "--no-color": "Print without colour; NO_COLOR does the same.",
        "--debug": "Show the traceback of a bug; TALLYROOM_DEBUG does the same.",
    }
    return [
        click.Option([flag], is_flag=True, expose_value=False, callback=_wish, help=line)
        for flag, line in lines.items()
    ]


def _accept_wishes(command: click.Command) -> None:
    """Let a command, and those below it, take the common options after its name too."""
    taken = {option for parameter in command.params for option in parameter.opts}
    for option in _wish_options():
        if option.opts[0] not in taken:
            assert isinstance(option, click.Option)
            option.hidden = True
            command.params.append(option)
    if isinstance(command, click.Group):
        for inner in command.commands.values():
            _accept_wishes(inner)


def _print_completion(context: click.Context, _parameter: click.Parameter, shell: str | None) -> None:
    if shell is None or context.resilient_parsing:
        return
    from click.shell_completion import get_completion_class  # noqa: PLC0415 - wanted once in a machine's life

    complete = get_completion_class(shell)
    assert complete is not None, f"click knows no completion for {shell}"
    click.echo(complete(context.command, {}, "tallyroom", "_TALLYROOM_COMPLETE").source())
    context.exit()


@click.group(
    cls=LazyGroup,
    params=_wish_options(),
    context_settings={"help_option_names": ["-h", "--help"]},
    no_args_is_help=False,
    invoke_without_command=True,
)
@click.option(
    "--completion",
    type=click.Choice(["bash", "zsh", "fish"]),
    is_eager=True,
    expose_value=False,
    callback=_print_completion,
    help='Print the shell\'s completion script: eval "$(tallyroom --completion bash)".',
)
@click.version_option(__version__, prog_name="tallyroom", message="%(prog)s %(version)s")
@click.pass_context
def tallyroom(context: click.Context) -> None:
    """Add up a contest that people count by hand in many places at once, and show how.

    A CONTEST is the id of one that comes with Tallyroom, or a folder with its plan.

    Exit codes: 0 done; 2 it cannot be carried out as asked; 65 the input was read and is at fault.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line and give its exit code.

    Args:
        arguments: what stands after `tallyroom`; None for this process's own.
    """
    wishes = terminal.Wishes(debug=bool(os.environ.get("TALLYROOM_DEBUG")))
    printer = sys.stdout
    try:
        code = tallyroom.main(
            None if arguments is None else list(arguments), prog_name="tallyroom", standalone_mode=False, obj=wishes
        )
        sys.stdout.flush()
    except TallyroomError as refused:
        for fault in refused.faults:
            terminal.error(str(fault), no_color=wishes.no_color)
        return refused.exit_code
    except click.ClickException as refused:
        terminal.error(_usage(refused), no_color=wishes.no_color)
        return CANNOT
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except SystemExit as left:
        # click replaces standard output and leaves by itself when the reader went away.
        return left.code if sys.stdout is printer and isinstance(left.code, int) else PIPE_CLOSED
    except OSError as failure:
        return _out_of_our_hands(failure, wishes)
    except Exception as bug:  # noqa: BLE001 - the last place that can still speak in a sentence
        return _own_fault(bug, wishes)
    return code if isinstance(code, int) else 0


def _usage(refused: click.ClickException) -> str:
    """One sentence for a command line that cannot be understood, and where to read on."""
    message = " ".join(refused.format_message().split())
    context = refused.ctx if isinstance(refused, click.UsageError) else None
    return f"{message} `{context.command_path if context else 'tallyroom'} --help` shows what is possible."


def _out_of_our_hands(failure: OSError, wishes: terminal.Wishes) -> int:
    """Answer for a reader that went away, a full disk, a file that may not be read."""
    if failure.errno == errno.EPIPE:
        # Python would try to flush what nobody reads, and complain on exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    if wishes.debug:
        _show_traceback(failure)
    place = f"{os.fsdecode(failure.filename)}: " if isinstance(failure.filename, str | bytes) else ""
    reason = (failure.strerror or str(failure)).lower()
    terminal.error(f"{place}{reason}. Check the path, its rights and the space on the disk.", no_color=wishes.no_color)
    return CANNOT


def _own_fault(bug: Exception, wishes: terminal.Wishes) -> int:
    """Own up to a bug: one sentence, and the traceback for those who asked for it."""
    if wishes.debug:
        _show_traceback(bug)
    terminal.error(
        f"this is a bug in Tallyroom {__version__} ({type(bug).__name__}: {bug}). "
        "Please report it as CONTRIBUTING.md says, with what the same command prints under `--debug`.",
        no_color=wishes.no_color,
    )
    return BUG


def _show_traceback(bug: BaseException) -> None:
    import traceback  # noqa: PLC0415 - only a bug needs it

    traceback.print_exception(bug)
