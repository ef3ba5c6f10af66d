"""`python -m harness.testbed SERVERS`: started by `harness.testbed.launch`, speaks JSON lines with it.

Out: `{"addresses"}` as soon as the ports are known. In: `{"peers","plans"}`. Out: `{"ready": {name: pid}}`,
and `{"died", "why"}` of each server that ends. Standard input's end is the end of all.
"""

from __future__ import annotations

import json
import os
import sys
from functools import partial
from typing import Any

from harness.testbed.plan import Plan
from harness.testbed.services import Orders, Server


def main(servers: list[Server]) -> None:
    """Serve until standard input ends."""
    from harness.testbed import processes

    sockets = {server.name: processes.bind() for server in servers}
    ports = {name: sock.getsockname()[1] for name, sock in sockets.items()}
    _say({"addresses": {one.name: f"http://127.0.0.1:{ports[one.name]}{one.path}" for one in servers}})
    _load()
    with open(0, "rb", buffering=0, closefd=False) as stdin:
        line = stdin.readline()
    if not line:
        return
    orders, alive = _orders(json.loads(line)), os.pipe()
    children: list[processes.Child] = []
    try:
        for one in servers:
            make = partial(_application, one, orders)
            children.append(processes.spawn(one.name, sockets, make, alive))
        _watch(children)
    finally:
        processes.kill(children)


def _watch(children: list[Any]) -> None:
    from harness.testbed.processes import said_by

    ready: dict[str, int] = {}
    for child, text in said_by(children):
        if text != "1":
            _say({"died": child.name, "why": text})
            continue
        ready[child.name] = child.pid
        if len(ready) == len(children):
            _say({"ready": ready})


def _application(server: Server, orders: Orders) -> Any:
    from harness.testbed.services import application

    return application(server, orders)


def _load() -> None:
    """Import once what every child needs."""
    import harness.testbed.core.build
    import harness.testbed.model.server
    import harness.testbed.runtime.server  # noqa: F401


def _orders(given: dict[str, Any]) -> Orders:
    plans = {
        name: Plan(**{**plan, "defects": frozenset(plan["defects"])}) for name, plan in given["plans"].items()
    }
    return Orders(given["peers"], plans)


def _say(line: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main([Server(name, kind, calls and tuple(calls)) for name, kind, calls in json.loads(sys.argv[1])])
