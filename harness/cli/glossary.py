"""Words that reports use and nobody should have to guess, in English and in Chinese."""

from __future__ import annotations

from typing import NamedTuple


class Entry(NamedTuple):
    """One word and what it means."""

    word: str
    en: str
    zh: str


EXIT = (
    Entry("0", "The contract holds.", "契约成立。"),
    Entry(
        "1",
        "The contract is broken: at least one error finding (with --fail-on warning or --strict, a "
        "warning too).",
        "违反契约：至少有一条错误（使用 --fail-on warning 或 --strict 时，警告也算）。",
    ),
    Entry(
        "2",
        "Usage or configuration error; the message names file, line, path and the mend.",
        "用法或配置有误；提示会给出文件、行号、路径和改法。",
    ),
    Entry(
        "3",
        "Could not decide: nothing recognised, a capture incomplete, a record not readable, an "
        "interrupt of unknown "
        "kind. With --strict also a contract rule that could not be checked, or a file that nobody claims.",
        "无法判定：未识别出任何事件、抓包不完整、有记录无法读取，或出现未知类型的中断。"
        "使用 --strict 时，契约规则无法检查、文件无人认领也算。",
    ),
    Entry("4", "An error of the harness itself; please report it.", "harness 自身出错；请反馈。"),
    Entry(
        "order",
        "Where several apply: 4 before 2 before 1 before 3 before 0. A proven breach beats an "
        "undecided round.",
        "同时出现多种情况时：4 优先于 2，2 优先于 1，1 优先于 3，3 优先于 0。已证实的违反优先于未决的轮次。",
    ),
)

OUTCOME = (
    Entry("HTTP_ERROR", "The HTTP status is not 2xx.", "HTTP 状态码不是 2xx。"),
    Entry(
        "COMPLETED",
        "The task ended well: a terminal state, or a stream of one Message.",
        "任务正常完成：到达终态，或整个流就是一条 Message。",
    ),
    Entry(
        "FAILED",
        "The task ended in the state failed. An answer, no finding by itself.",
        "任务以 failed 结束。这是一种回答，本身不算问题。",
    ),
    Entry("CANCELED", "The task was canceled.", "任务被取消。"),
    Entry("REJECTED", "The agent refused the task.", "智能体拒绝了任务。"),
    Entry(
        "PROTOCOL_ERROR",
        "No terminal state, but an error frame, or a body that is one error object.",
        "没有终态，但出现了错误帧，或整个响应体就是一个错误对象。",
    ),
    Entry(
        "INTERACTION",
        "The last state is input-required: the agent stopped and asks. Closing there is legal, keeping "
        "open too.",
        "最后的状态是 input-required：智能体停下并提问。此时关闭连接或保持连接都合法。",
    ),
    Entry("AUTH_REQUIRED", "The last state is auth-required.", "最后的状态是 auth-required。"),
    Entry(
        "TRANSPORT_ERROR", "The body was cut by the upstream before an end.", "响应体在结束之前被上游切断。"
    ),
    Entry(
        "INCONCLUSIVE",
        "The capture can not tell: our side stopped, the journal has no ending, or nothing was recognised.",
        "抓包本身无法说明：我方先停止、记录没有结尾，或什么都未识别出来。",
    ),
    Entry(
        "NO_TERMINAL",
        "The bytes ended cleanly, the task did not: no terminal and no interrupted state.",
        "字节流正常结束而任务没有：既无终态，也无中断状态。",
    ),
)

EXPOSURE = (
    Entry(
        "native",
        "Meant for the client: the agent that it talks to asks it something.",
        "原生：本就面向客户端，由它所对话的智能体提问。",
    ),
    Entry(
        "masked",
        "A proxy for an internal delegation: toolCallId, toolName, message, and nothing else.",
        "已屏蔽：内部委派的代理形式，只含 toolCallId、toolName、message。",
    ),
    Entry(
        "leaked",
        "Internal detail is visible: which agent, which kind of interrupt, which context.",
        "泄漏：可见内部细节，例如哪个智能体、哪种中断、哪些上下文。",
    ),
    Entry(
        "declared",
        "Delegation that a documented feature makes public (`agentEvent`).",
        "已声明：由文档所载功能（agentEvent）主动公开的委派。",
    ),
)

TOPICS: dict[str, tuple[Entry, ...]] = {"exit": EXIT, "outcome": OUTCOME, "exposure": EXPOSURE}
"""What `harness explain WORD` knows beside the rules."""
