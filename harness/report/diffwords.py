"""What people read of a diff, in English and in Chinese; both tables have the same keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from harness.report.words import Words

EN: Words = {
    "diff.title": "Differences between A and B",
    "diff.scenario": "scenario",
    "diff.round": "round",
    "diff.leg": "leg",
    "diff.contract": "contract",
    "diff.shape": "shape",
    "diff.text": "text",
    "diff.timing": "timing",
    "diff.reordered": "in another order",
    "diff.subject.round": "round",
    "diff.subject.outcome": "outcome",
    "diff.subject.http_status": "HTTP status",
    "diff.subject.interaction": "interaction",
    "diff.subject.finding": "error",
    "diff.subject.frame": "frame that shows an interaction",
    "diff.subject.surface": "surface",
    "diff.subject.event": "event",
    "diff.subject.member": "member",
    "diff.subject.identity": "other id",
    "diff.subject.order": "order",
    "diff.subject.text": "text",
    "diff.subject.ending": "ending",
    "diff.subject.duration": "duration",
    "diff.equal": "{count} rounds are equal by meaning",
    "diff.missing": "missing",
    "diff.skipped": "{count} equal",
    "diff.left_out": "{count} more lines",
    "diff.more": "{count} more {rank} changes; --all shows them",
    "diff.undecided": "Could not be decided (never taken for equal)",
    "diff.note": "note: {text}",
    "diff.place_a": "A event {number}",
    "diff.place_b": "B event {number}",
    "diff.summary": "Compared: {rounds} rounds, contract {contract}; changes: contract {c}, shape {s}, "
    "text {t}, timing {m}; undecided: {undecided}.",
    "diff.exit.0": "no change that fails",
    "diff.exit.1": "changed, in a rank that fails",
    "diff.exit.3": "could not decide: nothing to compare, a capture that can not be judged, or a record "
    "that was not read",
    "diff.written": "wrote {path}",
}

ZH: Words = {
    "diff.title": "A 与 B 的差异",
    "diff.scenario": "场景",
    "diff.round": "轮次",
    "diff.leg": "链路",
    "diff.contract": "契约",
    "diff.shape": "结构",
    "diff.text": "文本",
    "diff.timing": "时序",
    "diff.reordered": "顺序不同",
    "diff.subject.round": "轮次",
    "diff.subject.outcome": "结局",
    "diff.subject.http_status": "HTTP 状态码",
    "diff.subject.interaction": "交互",
    "diff.subject.finding": "错误",
    "diff.subject.frame": "展示交互的帧",
    "diff.subject.surface": "协议形式",
    "diff.subject.event": "事件",
    "diff.subject.member": "成员",
    "diff.subject.identity": "标识不同",
    "diff.subject.order": "顺序",
    "diff.subject.text": "文本",
    "diff.subject.ending": "连接结束方式",
    "diff.subject.duration": "时长",
    "diff.equal": "{count} 轮在含义上相同",
    "diff.missing": "缺失",
    "diff.skipped": "{count} 个相同",
    "diff.left_out": "另有 {count} 行",
    "diff.more": "另有 {count} 条{rank}变更；加 --all 全部显示",
    "diff.undecided": "未能判定（绝不视为相同）",
    "diff.note": "说明：{text}",
    "diff.place_a": "A 事件 {number}",
    "diff.place_b": "B 事件 {number}",
    "diff.summary": "已比较：{rounds} 轮，契约 {contract}；变更：契约 {c}、结构 {s}、文本 {t}、时序 {m}；"
    "未判定 {undecided}。",
    "diff.exit.0": "没有导致失败的变更",
    "diff.exit.1": "有变更，且属于会导致失败的级别",
    "diff.exit.3": "无法判定：没有可比较的内容、抓包无法判定，或有记录无法读取",
    "diff.written": "已写入 {path}",
}


def words(lang: str) -> Words:
    """The table of `lang`: `zh`, else English."""
    return ZH if lang == "zh" else EN
