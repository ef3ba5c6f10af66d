"""What the model says, as data: scripts of steps. One request plays one step, the next request the next one.

In texts `{prompt}` is the user's text, `{results}` the results of tool calls that the request carries,
`{steering}` the steering texts in it: an answer quotes only what was really sent to the model.
"""

from collections.abc import Callable
from typing import Any, Literal, NamedTuple

type Fault = Literal["http", "midstream", "garbage", "hang"]


class Parameters(NamedTuple):
    """Numbers of a script, from the model's name: `research?calls=3&tokens=12`."""

    calls: int = 3
    asks: int = 2
    questions: int = 14
    tokens: int = 12
    pace: float = 0.0
    status: int = 500
    order: str = ""


class Call(NamedTuple):
    """A tool call that the model asks for."""

    tool: str
    arguments: dict[str, Any]


class Step(NamedTuple):
    """One turn of the model: a text, tool calls, or a fault."""

    says: str = ""
    calls: tuple[Call, ...] = ()
    fault: Fault | None = None
    until_steered: bool = False
    """Said again and again until a steering text arrives (for `PATIENCE` times at most)."""


PATIENCE = 10
REPORT = "结论：{results}"
STEMS = "甲乙丙丁戊己庚辛壬癸"
FIELDS = (
    "请提供发票号码",
    "请提供报销金额",
    "是否含税？",
    "请说明用途\n（不超过 50 字）",
    "请选择成本中心",
    "请提供出发日期",
    "请提供返回日期",
)
NEEDS = ("请提供账户号码", "请提供查询日期", "请确认身份")


def delegate(agent: str, text: str) -> Call:
    """A call of a remote agent."""
    return Call(agent, {"remoteInput": text})


def _ask(message: str, field: str = "") -> Call:
    missing = {"missing_fields": [field]} if field else {}
    return Call("request_user_input", {"message": message} | missing)


def _model(number: int) -> str:
    return f"模型{STEMS[number]}" if number < len(STEMS) else f"模型{number + 1}"


def _searches(given: Parameters) -> tuple[Call, ...]:
    texts = (f"{_model(n)} 输入价格 每百万 token" for n in range(given.calls))
    return tuple(delegate("search-agent", text) for text in texts)


def _parallel(given: Parameters) -> tuple[Step, ...]:
    return (Step(calls=_searches(given)), Step(REPORT))


def _single(given: Parameters) -> tuple[Step, ...]:
    return _parallel(given._replace(calls=1))


def _research(given: Parameters) -> tuple[Step, ...]:
    check = Step(calls=(delegate("verify-agent", "核对各模型价格的来源"),))
    work = (Step(calls=_searches(given)), check)
    return (*(work if given.order != "reversed" else work[::-1]), Step(REPORT))


def _balance(given: Parameters) -> tuple[Step, ...]:
    wishes = (f"查询第 {n + 1} 个账户的余额" for n in range(given.calls))
    return (
        *(Step("我来查询余额。", (delegate("versatile-adapter", one),)) for one in wishes),
        Step("{results}"),
    )


def _expense(given: Parameters) -> tuple[Step, ...]:
    texts = (FIELDS[n % len(FIELDS)] for n in range(given.questions))
    asks = (Step("需要更多信息。", (_ask(one, f"field_{n + 1}"),)) for n, one in enumerate(texts))
    review = Step(calls=(delegate("expense-review-workflow", "审核报销单：{results}"),))
    return (*asks, review, Step("报销单已提交。{results}"))


def _trip(given: Parameters) -> tuple[Step, ...]:
    return (
        Step(calls=(delegate("hotel-agent", "Book a hotel"), delegate("flight-agent", "Book a flight"))),
        Step("Booked: {results}"),
    )


def _steer(given: Parameters) -> tuple[Step, ...]:
    looks = (Step(calls=(Call("look_up", {"page": n + 1}),)) for n in range(given.calls - 1))
    last = Step(calls=(Call("look_up", {"page": given.calls}),), until_steered=True)
    return (*looks, last, Step("Report. Steered by: {steering}"))


def _asking(question: str, end: str) -> Callable[[Parameters], tuple[Step, ...]]:
    return lambda given: (*(Step(calls=(_ask(question),)) for _ in range(given.asks)), Step(end))


def _steps(*steps: Step) -> Callable[[Parameters], tuple[Step, ...]]:
    return lambda given: steps


def _versatile(given: Parameters) -> tuple[Step, ...]:
    asks = (Step("正在连接账户系统……", (_ask(NEEDS[n % len(NEEDS)]),)) for n in range(given.asks))
    return (*asks, Step("{prompt}：余额为 88.00 元（{results}）。"))


QUESTION = {
    "header": "City",
    "question": "Which city do you depart from?",
    "options": [
        {"label": "Beijing", "description": "PEK"},
        {"label": "Shanghai", "description": "SHA"},
    ],
    "multi_select": False,
}

SCRIPTS: dict[str, Callable[[Parameters], tuple[Step, ...]]] = {
    "plain": _steps(Step("The answer is 42.")),
    "research": _research,
    "parallel": _parallel,
    "single": _single,
    "balance": _balance,
    "expense": _expense,
    "trip": _trip,
    "steer": _steer,
    "ask": _steps(
        Step("I need ", (_ask("Which city do you depart from?", "departure"),)),
        Step("You depart from {results}."),
    ),
    "ask-batch": _steps(
        Step(calls=(_ask("Departure city?"), _ask("Return date?"))), Step("Noted: {results}.")
    ),
    "ask-user": _steps(Step(calls=(Call("ask_user", {"questions": [QUESTION]}),)), Step("{results}")),
    "confirm": _steps(Step(calls=(Call("delete_file", {"path": "report.txt"}),)), Step("Result: {results}.")),
    "client-tool": _steps(
        Step(calls=(Call("get_location", {"precision": "city"}),)), Step("You are in {results}.")
    ),
    "questioner": _steps(
        Step(calls=(Call("questioner", {"question": "Please give the invoice number"}),)),
        Step("Invoice {results} is booked."),
    ),
    "mixed": _steps(
        Step(calls=(delegate("search-agent", "price of A"), _ask("Which city?"))), Step("{results}")
    ),
    "fail": _steps(Step(fault="http")),
    "fail-midstream": _steps(Step("Work in ", fault="midstream")),
    "garbage": _steps(Step("Work in ", fault="garbage")),
    "hang": _steps(Step("Work in ", fault="hang")),
    "search": _steps(Step("【{prompt}】2 元")),
    "verify": _steps(Step("【{prompt}】来源一致")),
    "versatile": _versatile,
    "hotel": _asking("Which hotel class?", "hotel booked, {results}"),
    "flight": _asking("Which airline?", "flight booked, {results}"),
    "review": _steps(Step("审核通过。")),
}

AGENTS = {
    "search-agent": "search",
    "verify-agent": "verify",
    "versatile-adapter": "versatile",
    "hotel-agent": "hotel",
    "flight-agent": "flight",
    "expense-review-workflow": "review",
}
"""Scripts of the remote agents, by their names; every other agent plays its conversation's script."""
