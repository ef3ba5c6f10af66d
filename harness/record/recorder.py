"""The recorder: listeners in a thread of their own, from the first connection to the last seal."""

from __future__ import annotations

import asyncio
import threading
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from harness.errors import UsageError
from harness.model.topology import Topology
from harness.record import legs, secrets
from harness.record.addresses import AddressBook
from harness.record.assign import Rounds, is_round
from harness.record.clean import Clean
from harness.record.feed import Feed
from harness.record.forward import Forward
from harness.record.listener import Kit, Listener, Reverse
from harness.record.proxy import FOREVER, options
from harness.record.run import Run
from harness.record.settings import Settings, Summary
from harness.record.tls import Tls

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from harness.record.exchange import Exchange

GRACE_S = 0.25
"""How long exchanges that are about to end are waited for when the recorder stops."""
_STEP_S = 0.01


class Recorder:
    """Records while it is open: `with Recorder(settings) as recorder: ...`, `async with` as well.

    `Recorder(topology, run_dir)` listens on free ports for each edge of a topology. Entering
    returns when all listeners accept, and raises `UsageError` where one can not; leaving seals
    every exchange and writes run.json. `stop` may be called from any thread and any signal handler.
    """

    def __init__(self, what: Settings | Topology, run_dir: str | None = None, **more: Any) -> None:
        if isinstance(what, Topology):
            assert run_dir is not None
            what = Settings(legs=legs.of_topology(what), run_dir=run_dir, topology=what)
        self.settings = settings = what._replace(**more)
        self.addresses: dict[str, str] = {}
        """URL of each leg's listener, by the leg's key: its name, with `:AGENT` where the leg has one."""
        self.done = threading.Event()
        """Set when the recorder has stopped by itself, by `stop` or by its limits."""
        self._run = Run(settings, Clean(secrets.redactor(settings.redact, settings.secrets)))
        self._rounds = Rounds(settings.scenario)
        self._book = AddressBook(self._run)
        self._finished = 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: asyncio.Event | None = None
        self._ready = threading.Event()
        self._fault: BaseException | None = None
        self._thread: threading.Thread | None = None
        self._listeners: list[Listener] = []

    # from outside

    def __enter__(self) -> Self:
        self._listeners = self._made()
        self._thread = threading.Thread(target=self._work, name="recorder", daemon=True)
        self._thread.start()
        self._ready.wait()
        if self._fault is not None:
            self._thread.join()
            raise self._fault
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
        if self._thread is not None:
            self._thread.join()
        if self._fault is not None and error is None:
            raise self._fault

    async def __aenter__(self) -> Self:
        return await asyncio.to_thread(self.__enter__)

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await asyncio.to_thread(self.__exit__, kind, error, trace)

    def stop(self) -> None:
        """Begin to stop; leaving the `with` block waits for the end."""
        if self._loop is not None and self._stop is not None and not self.done.is_set():
            try:
                self._loop.call_soon_threadsafe(self._stop.set)
            except RuntimeError:
                return

    def name(self, context_id: str, scenario: str) -> None:
        """Call the rounds of a conversation `scenario`; tell it before its first request."""
        self._rounds.name(context_id, scenario)

    def again(self, context_id: str) -> None:
        """The next request of that conversation is its last one, sent again: the same round.

        What was sent before is told in run.json as `retried`, and not judged.
        """
        where = self._rounds.again(context_id)
        if where is not None:
            self._run.again.add((where.scenario, where.round))

    def watch(self, callback: Callable[[str, str, bytes | str], None]) -> None:
        """Have `callback(leg, stem, bytes or ending)` called for all that is written from now on.

        It is called in a thread of its own and holds up nothing; what it is too slow for is dropped
        and told. The live view of the command line reads the files instead.
        """
        self._run.feed = Feed(callback)

    @property
    def run_dir(self) -> str:
        """The run folder; known for sure when the recorder has started."""
        return self._run.folder

    @property
    def summary(self) -> Summary:
        """What was recorded so far."""
        run = self._run
        sealed = sum(one.ending != "unsealed" for one in run.entries)
        return Summary(self.run_dir, run.begun, sealed, self._finished, run.incomplete, tuple(run.warnings))

    # inside

    def _made(self) -> list[Listener]:
        settings = self.settings
        kit = Kit(
            settings,
            self._run,
            self._rounds,
            self._book,
            Tls(settings.ca_file, settings.client_cert),
            options(tcp_timeout=settings.timeout or FOREVER),
            self._ended,
        )
        made: list[Listener] = [Reverse(kit, leg) for leg in legs.checked(settings.legs) if leg.listen]
        if settings.forward is not None:
            made.append(Forward(kit, settings.forward))
        if not made:
            raise UsageError("nothing to record", mend="give a --leg, a topology, or --forward")
        return made

    def _work(self) -> None:
        try:
            asyncio.run(self._main())
        except BaseException as fault:  # noqa: BLE001  raised again where the recorder is left
            self._fault = fault
        finally:
            self.done.set()
            self._ready.set()

    async def _main(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._loop.set_exception_handler(self._odd)
        self._loop.set_task_factory(asyncio.eager_task_factory)
        self._stop = asyncio.Event()
        try:
            await self._start()
            self._ready.set()
            async with asyncio.timeout(self.settings.stop_seconds):
                await self._stop.wait()
        except TimeoutError:
            pass
        finally:
            await self._end()

    def _odd(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """A fault that no exchange knows of."""
        fault = context.get("exception")
        self._run.lacks(
            f"a fault inside the recorder: {type(fault).__name__ if fault else context['message']}"
        )

    async def _start(self) -> None:
        scheme = "https" if self.settings.client_cert else "http"
        for listener in self._listeners:
            await self._reached(listener, listener.bind())
            self.addresses[listener.key] = f"{scheme}://{legs.hostport(*listener.address)}"
            if isinstance(listener, Reverse):
                self._book.add(listener.name, listener.leg.upstream, listener.address, scheme)
        legs.no_circle(self.settings.legs, self.addresses)
        self._run.facts["legs"] = self._legs()
        self._run.facts["forward"] = self.addresses.get("forward")
        self._run.open()
        for listener in self._listeners:
            await self._reached(listener, listener.serve())

    async def _reached(self, listener: Listener, step: Awaitable[None]) -> None:
        try:
            await step
        except OSError as error:
            where = legs.hostport(*listener.listen)
            mend = "choose another port or stop what listens there"
            what = f"{listener.name} can not listen on {where}: {error.strerror or error}"
            raise UsageError(what, mend=mend) from None

    def _legs(self) -> list[dict[str, Any]]:
        hosts = {one.key: one.host for one in self._listeners}
        return [
            {
                "name": leg.name,
                **({} if leg.agent is None else {"agent": leg.agent}),
                "upstream": self._run.clean.url(leg.upstream),
                "listen": self.addresses.get(leg.key),
                "host": hosts.get(leg.key),
            }
            for leg in self.settings.legs
        ]

    async def _end(self) -> None:
        for listener in self._listeners:
            listener.close()
        for _ in range(int(GRACE_S / _STEP_S)):
            await asyncio.sleep(_STEP_S)  # an exchange that was just sealed sends its last bytes
            if all(one.is_idle for one in self._listeners):
                break
        for listener in self._listeners:
            await listener.stop("the recorder was stopped")
        self._book.told()
        if not self.settings.may_idle:
            self._tell_idle()
        self._run.count_unassigned()
        if self._run.feed is not None:
            self._run.feed.close()
            if self._run.feed.dropped:
                self._run.warn(f"{self._run.feed.dropped} news were not shown: the watcher is too slow")
        if self._ready.is_set():
            self._run.close()

    def _tell_idle(self) -> None:
        """A leg on which nothing was recorded: most likely its caller was not given the address."""
        used = {entry.where.leg for entry in self._run.entries}
        for leg in self.settings.legs:
            address = self.addresses.get(leg.key)
            if address is not None and leg.name not in used:
                self._run.warn(f"leg {leg.name}: nothing was recorded; does its caller use {address}?")

    def _ended(self, exchange: Exchange) -> None:
        self._book.saw(exchange)
        if is_round(exchange.where):
            self._finished += 1
            if self.settings.stop_rounds is not None and self._finished >= self.settings.stop_rounds:
                assert self._stop is not None
                self._stop.set()
