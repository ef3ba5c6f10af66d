"""What people read from the commands, in English and in Chinese; see `harness.report.words`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.report import words as report_words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.report.words import Words

EN: Words = {
    "help.usage": "usage",
    "help.commands": "commands",
    "help.arguments": "arguments",
    "help.options": "options",
    "help.examples": "examples",
    "help.exits": "exit codes",
    "failed": "error",
    "written": "wrote {path}",
    "history.added": "added {run} to the history in {path}",
    "history.not_added": "not added to the history: {reason}",
    "history.partial": "the command line chose a part of the run; --history adds it all the same",
    "history.no_run": "PATH is not one run folder; --history with --run-id adds it",
    "history.rebuilt": "{path}: {done} of {total} runs judged anew and added",
    "history.run_failed": "left out: {path}: {reason}",
    "history.compacted": "{path}: {runs} runs of {merged} files are in {file} now",
    "history.compact": "{path}: {runs} runs, nothing to merge",
    "drafted": "drafted {count} waivers in {path}: replace every TODO, then check again",
    "nothing_red": "nothing is red: {path} was not written",
    "github.outside": "not in GitHub Actions: annotations only, no step summary",
    "github.full": "the step summary has no room for the report: it was left out there",
    "newest": "no PATH given: checking the newest run, {path}",
    "again.changed": "since the last judgement: {new} new, {fixed} fixed, {waived} newly waived;"
    " exit {before} -> {now}",
    "again.new": "new",
    "again.fixed": "fixed",
    "again.waived": "waived",
    "again.more": "{kind}: {number} more",
    "again.watching": "watching {path}; Ctrl-C ends",
    "again.waiting": "waiting for a change: {error}",
    "again.ended": "no longer watching",
    "progress": "{done} of {total} captures, {seconds} s",
    "inspect.capture": "capture",
    "inspect.request": "request",
    "inspect.response": "response",
    "inspect.ending": "ending",
    "inspect.notes": "How it was written, and what clients make of it (py = a2a-sdk 1.3.0, js = "
    "@a2a-js/sdk 1.3.0, java = a2a-java 1.0.0)",
    "inspect.unread": "not read",
    "inspect.empty": "no frames",
    "inspect.frame": "frame {number}  bytes {start}-{end} of {source}",
    "inspect.matches": "{count} matches in {frames} frames, {total} frames read",
    "inspect.name": "(name)",
    "explain.code": "rule",
    "explain.slug": "name",
    "explain.title": "statement",
    "explain.severity": "severity",
    "explain.contracts": "contracts",
    "explain.versions": "versions",
    "explain.bindings": "bindings",
    "explain.needs": "needs",
    "explain.source": "source",
    "explain.passes": "Passes",
    "explain.fails": "Fails",
    "watch.began": "{protocol} began",
    "watch.other": "{protocol} ended ({ending})",
    "watch.round": "{outcome}, {events} events, {asked} asked, {leaked} leaked ({ending})",
    "watch.asks": "{kind} {exposure} on the {channel} channel{who}",
    "watch.leak": "LEAK: {kind} {exposure} on the {channel} channel{who}",
    "watch.head": "scenario round leg protocol events asked leaked outcome",
    "record.leg": "{name}  {url}  ->  {upstream}",
    "record.ready": "recording to {folder}; stop with Ctrl-C",
    "record.warning": "warning: {text}",
    "record.incomplete": "INCOMPLETE: {text}",
    "record.whole": "{folder}: {rounds} rounds, {exchanges} exchanges, all recorded",
    "record.lost": "{folder}: {rounds} rounds, {exchanges} exchanges, {sealed} of them recorded to their end",
    "run.begins": "running {scenarios} scenarios on {system}; Ctrl-C stops",
    "run.sent": "{scenario} r{round} is running ...",
    "run.again": "{scenario} r{round}: sent again after {text}",
    "run.canceled": "{scenario} r{round}: asked to cancel {text}",
    "run.ended": "{scenario} r{round}: {state}, {seconds} s{text}",
    "run.cut": "the connection broke off",
    "run.timeout": "timeout",
    "run.refused": "no answer",
    "run.error": "not readable",
    "run.not_sent": "not sent",
    "run.contracts": "the scenarios name different contracts ({names}); judged by {contract}",
    "run.folder": "recorded in {folder}",
    "redact.found": "{file}: byte {offset}: {kind}",
    "redact.secrets": "{count} places that look like secrets in {files} files",
    "redact.clean": "no secrets found in {files} files",
    "redact.copied": "{folder}: {files} files, {count} secrets replaced",
    "recorded.intro": "Captures of three topologies, one contract: nothing internal may reach the client.",
    "demo.intro": "Three topologies, live: agents over HTTP with the faults that were reported of real"
    " ones, the recorder between all of them, one contract: nothing internal may reach the client.",
    "demo.leaked": "DA-09 shows {leaked} leaked delegations in {frames} mirror frames ({shape}) on the"
    " content channel, {control} on the control channel (expected 4 in 2 (3+1), 0)",
    "demo.called": "and made {calls} remote calls, {together} of them at the same time (expected 4 and 3)",
    "demo.masked": "edpa shows masked proxies only: {masked} masked, {other} other (expected 6 and 0)",
    "demo.bound": "expense-review asks in {asked} rounds, {bound} of {native} questions bound to a"
    " declared user-input tool (expected 14, 14 of 14)",
    "demo.known": "{scenario}: {found} (known: {known})",
    "demo.nothing": "nothing",
    "demo.seen": "What you see: the deep-research agent shows the client which internal agents it"
    " delegates to, on the content channel (LEAK101), and sends its model what was meant for the runtime"
    " (STEER101). The edpa agent stops for the same reason and shows a proxy without any of it. The"
    " expense-review workflow asks the user itself, which is meant to be seen. `harness check` of the run"
    " gives exit 1: the leak breaks the contract.",
    "demo.found": "The demo found what it should:",
    "demo.missing": "The demo did NOT find what it should:",
    "recorded.leaked": "DA-09 shows {count} leaked delegations (expected 4)",
    "recorded.masked": "edpa shows masked proxies only: {masked} masked, {leaked} leaked (expected 9 and 0)",
    "recorded.bound": "expense-review asks natively {count} times, {unbound} of them not bound to a"
    " declared user-input tool (expected 14 and 0)",
    "recorded.seen": "What you see: the deep-research agent shows the client which internal agents it"
    " delegates to, on the content channel (LEAK101), while the edpa agent stops for the same reason and"
    " shows a proxy without any of it. The expense-review workflow asks the user itself, which is meant"
    " to be seen. The exit code of `harness check` on the same captures is 1, since the leak breaks the"
    " contract.",
    "demo.next": "Try next:",
    "import.run": "{folder}  {count} exchanges",
    "import.progress": "{done} of {total} exchanges written, {seconds} s",
    "import.unread": "not read: {source}: {reason}",
    "replay.ready": "serving {count} exchanges on {address} (Ctrl-C ends)",
    "replay.ended": "replay ended",
    "replay.served": "{asked} -> {status} {source}, {sent} bytes, {end}",
    "replay.unknown": "(nothing recorded)",
    "replay.end.clean": "whole",
    "replay.end.cut": "cut as recorded",
    "replay.end.reset": "reset as recorded",
    "replay.end.silent": "closed without an answer as recorded",
    "replay.end.client_left": "the client left",
}

ZH: Words = {
    "help.usage": "用法",
    "help.commands": "命令",
    "help.arguments": "参数",
    "help.options": "选项",
    "help.examples": "示例",
    "help.exits": "退出码",
    "failed": "错误",
    "written": "已写入 {path}",
    "history.added": "已将 {run} 加入历史 {path}",
    "history.not_added": "未加入历史：{reason}",
    "history.partial": "命令行只选择了这次运行的一部分；加 --history 仍会加入",
    "history.no_run": "PATH 不是单个运行目录；同时使用 --history 和 --run-id 可加入",
    "history.rebuilt": "{path}：已重新判定并加入 {done}/{total} 次运行",
    "history.run_failed": "已略去：{path}：{reason}",
    "history.compacted": "{path}：{merged} 个文件中的 {runs} 次运行现已合并到 {file}",
    "history.compact": "{path}：{runs} 次运行，无需合并",
    "drafted": "已在 {path} 中起草 {count} 条豁免：请替换每个 TODO，然后再次检查",
    "nothing_red": "没有违反项：未写入 {path}",
    "github.outside": "不在 GitHub Actions 中：只输出注释，不写步骤摘要",
    "github.full": "步骤摘要已无空间容纳报告：该处已略去",
    "newest": "未指定 PATH：检查最新一次运行 {path}",
    "again.changed": "与上次判定相比：新增 {new}，已修复 {fixed}，新豁免 {waived}；退出码 {before} -> {now}",
    "again.new": "新增",
    "again.fixed": "已修复",
    "again.waived": "已豁免",
    "again.more": "{kind}：另有 {number} 项",
    "again.watching": "正在监视 {path}；按 Ctrl-C 结束",
    "again.waiting": "等待变化：{error}",
    "again.ended": "已停止监视",
    "progress": "已检查 {done}/{total} 个抓包，用时 {seconds} 秒",
    "inspect.capture": "抓包",
    "inspect.request": "请求",
    "inspect.response": "响应",
    "inspect.ending": "连接结束方式",
    "inspect.notes": "书写方式，以及官方客户端的反应（py = a2a-sdk 1.3.0，js = @a2a-js/sdk 1.3.0，java "
    "= a2a-java 1.0.0）",
    "inspect.unread": "无法读取",
    "inspect.empty": "没有帧",
    "inspect.frame": "第 {number} 帧  {source} 的字节 {start}-{end}",
    "inspect.matches": "共 {count} 处匹配，分布在 {frames} 帧中，共读取 {total} 帧",
    "inspect.name": "（成员名）",
    "explain.code": "规则",
    "explain.slug": "名称",
    "explain.title": "陈述",
    "explain.severity": "严重程度",
    "explain.contracts": "各契约",
    "explain.versions": "协议版本",
    "explain.bindings": "绑定",
    "explain.needs": "所需事实",
    "explain.source": "依据",
    "explain.passes": "通过示例",
    "explain.fails": "违反示例",
    "watch.began": "{protocol} 开始",
    "watch.other": "{protocol} 结束（{ending}）",
    "watch.round": "{outcome}，{events} 个事件，提问 {asked}，泄漏 {leaked}（{ending}）",
    "watch.asks": "{channel} 通道上的 {kind} {exposure}{who}",
    "watch.leak": "泄漏：{channel} 通道上的 {kind} {exposure}{who}",
    "watch.head": "场景 轮次 链路 协议 事件 提问 泄漏 结果",
    "record.leg": "{name}  {url}  转到  {upstream}",
    "record.ready": "正在录制到 {folder}；按 Ctrl-C 停止",
    "record.warning": "警告：{text}",
    "record.incomplete": "不完整：{text}",
    "record.whole": "{folder}：{rounds} 轮，{exchanges} 次交互，全部录制完整",
    "record.lost": "{folder}：{rounds} 轮，{exchanges} 次交互，其中 {sealed} 次录制完整",
    "run.begins": "正在 {system} 上运行 {scenarios} 个场景；按 Ctrl-C 停止",
    "run.sent": "{scenario} r{round} 正在运行……",
    "run.again": "{scenario} r{round}：因 {text} 重新发送",
    "run.canceled": "{scenario} r{round}：已请求取消 {text}",
    "run.ended": "{scenario} r{round}：{state}，{seconds} 秒{text}",
    "run.cut": "连接中断",
    "run.timeout": "超时",
    "run.refused": "没有应答",
    "run.error": "无法读取",
    "run.not_sent": "未发送",
    "run.contracts": "各场景指定的契约不同（{names}）；按 {contract} 判定",
    "run.folder": "已录制到 {folder}",
    "redact.found": "{file}：第 {offset} 字节：{kind}",
    "redact.secrets": "在 {files} 个文件中找到 {count} 处疑似机密信息",
    "redact.clean": "在 {files} 个文件中未发现机密信息",
    "redact.copied": "{folder}：{files} 个文件，替换了 {count} 处机密信息",
    "recorded.intro": "三种拓扑的抓包，同一份契约：任何内部细节都不得到达客户端。",
    "demo.intro": "现场运行三种拓扑：智能体经由 HTTP 通信，带有真实系统中被报告过的缺陷，录制器位于它们"
    "之间；同一份契约：任何内部细节都不得到达客户端。",
    "demo.leaked": "DA-09 在内容通道上有 {leaked} 次泄漏的委派，分布在 {frames} 个镜像帧中（{shape}），"
    "控制通道上有 {control} 次（应为 2 帧中的 4 次（3+1）和 0 次）",
    "demo.called": "同时发出了 {calls} 次远程调用，其中 {together} 次并发（应为 4 和 3）",
    "demo.masked": "edpa 中只有已屏蔽的代理中断：已屏蔽 {masked} 次、其他 {other} 次（应为 6 和 0）",
    "demo.bound": "expense-review 在 {asked} 个轮次中提问，{native} 个问题中有 {bound} 个绑定到已声明的"
    "用户输入工具（应为 14 个轮次，14 个中的 14 个）",
    "demo.known": "{scenario}：{found}（已知：{known}）",
    "demo.nothing": "无",
    "demo.seen": "所见说明：deep-research 智能体在内容通道上让客户端看到了它委派给哪些内部智能体（"
    "LEAK101），并把本应交给运行时的内容发给了模型（STEER101）。edpa 智能体因同样的原因停下，却只给出不含"
    "内部细节的代理中断。expense-review 工作流是自己向用户提问，这本来就应当可见。对这次运行执行 `harness"
    " check` 会得到退出码 1：泄漏违反了契约。",
    "demo.found": "演示找到了应当找到的内容：",
    "demo.missing": "演示没有找到应当找到的内容：",
    "recorded.leaked": "DA-09 中有 {count} 次泄漏的委派（应为 4）",
    "recorded.masked": "edpa 中只有已屏蔽的代理中断：已屏蔽 {masked} 次、泄漏 {leaked} 次（应为 9 和 0）",
    "recorded.bound": "expense-review 以原生方式提问 {count} 次，其中未绑定到已声明用户输入工具的"
    " {unbound} 次（应为 14 和 0）",
    "recorded.seen": "所见说明：deep-research 智能体在内容通道上让客户端看到了它委派给哪些内部智能体（"
    "LEAK101）；edpa 智能体因同样的原因停下，却只给出不含内部细节的代理中断。expense-review 工作流是自己"
    "向用户提问，这本来就应当可见。对同样的抓包运行 `harness check` 会得到退出码 1，因为泄漏违反了契约。",
    "demo.next": "接下来可以试试：",
    "import.run": "{folder}  {count} 个交换",
    "import.progress": "已写入 {done}/{total} 个交换，用时 {seconds} 秒",
    "import.unread": "无法读取：{source}：{reason}",
    "replay.ready": "正在 {address} 上重放 {count} 个交换（Ctrl-C 结束）",
    "replay.ended": "重放结束",
    "replay.served": "{asked} -> {status} {source}，{sent} 字节，{end}",
    "replay.unknown": "（无对应录制）",
    "replay.end.clean": "完整",
    "replay.end.cut": "按录制切断",
    "replay.end.reset": "按录制重置连接",
    "replay.end.silent": "按录制不作应答即关闭",
    "replay.end.client_left": "客户端离开",
}


def words(lang: str) -> Words:
    """The table of `lang` together with that of the reports."""
    return {**report_words.words(lang), **(ZH if lang == "zh" else EN)}


def language(asked: str | None, environ: Mapping[str, str]) -> str:
    """`asked`, else what the locale says: `zh` for a Chinese one, else `en`."""
    if asked:
        return "zh" if asked == "zh" else "en"
    locale = next((environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environ.get(name)), "")
    return "zh" if locale.lower().startswith("zh") else "en"
