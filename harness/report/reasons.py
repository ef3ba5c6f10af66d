"""Why the contract rules matter, in Chinese: what `View.reasons` shows instead of a rule's own text.

The rules themselves speak English; those which a team reads every day are told here as well.
"""

from __future__ import annotations

TITLES_ZH: dict[str, str] = {
    "LEAK101": "内容通道上可见内部委派的细节",
    "LEAK102": "控制通道上可见内部委派的细节",
    "LEAK103": "可见运行时内部键",
    "LEAK104": "内部对象被当作文本输出",
    "LEAK105": "未知类型的中断",
    "MASK201": "代理中断项的成员不恰好是 toolCallId、toolName、message",
    "MASK202": "代理中断的 toolCallId 与同一任务的远程输出标记相矛盾",
    "BIND301": "原生提问未绑定到已声明的用户输入工具",
    "BIND302": "同一个 toolCallId 的内容前后矛盾",
    "SYM401": "同一含义在不同拓扑中的可见程度不同",
    "SYM402": "同一含义在不同拓扑中使用了不同的封装",
    "END501": "进入 INPUT_REQUIRED 却没有提出任何问题",
    "END502": "字节流正常结束，但没有到达终态",
    "END503": "先报告失败，随后却进入 COMPLETED（虚假成功）",
    "END504": "本轮以错误结束",
    "END505": "字节流被上游中途切断",
    "RES601": "续接请求改变了任务或上下文",
    "RES602": "带目标与不带目标的回答混用",
}

REASONS_ZH: dict[str, str] = {
    "LEAK101": "客户端不应得知哪些内部智能体在为它工作。请在转发内容通道之前屏蔽 controller_output 等镜"
    "像中的委派中断。",
    "LEAK102": "客户端不应得知哪些内部智能体在为它工作。控制通道上应只给出代理形式：toolCallId、"
    "toolName、message。",
    "LEAK103": "runtime.*、_stream_mode、versatile-delegate-* 只在运行时内部有意义；客户端一旦依赖它"
    "们，内部就无法再改动。",
    "LEAK104": "形如 InteractionOutput{...} 的文本是内部对象直接打印的结果，既泄漏细节，也无法被客户端解析。",
    "LEAK105": "不认识的中断类型无法归类：它可能是泄漏，也可能是新形态。请用 --mapping 声明它，或修正发"
    "送方。",
    "MASK201": "多出的成员可能带出内部信息，缺少的成员会让客户端无法作答。请使代理项恰好含这三个成员。",
    "MASK202": "客户端按 toolCallId 作答；若它与远程输出标记不一致，回答会送到错误的调用。",
    "BIND301": "未声明的工具提出的问题无法与工具名绑定，客户端不知道该如何作答。请使用已声明的工具，或"
    "在映射文件中声明它。",
    "BIND302": "同一个调用前后说法不一，客户端无法判断应回答哪一个。",
    "SYM401": "同样的事情在一种拓扑中可见、在另一种中不可见，客户端便能由此推断内部结构，测试也无法统一。",
    "SYM402": "客户端必须为同一含义实现多种解析方式。请统一各拓扑的封装。",
    "END501": "客户端被要求输入，却不知道要输入什么，对话只能停在这里。",
    "END502": "没有终态，客户端无法区分已完成与被丢弃，只能等到超时。",
    "END503": "客户端看到的是成功，而任务其实失败了：错误因此被掩盖。请改以 FAILED 结束。",
    "END504": "本轮没有得到任务的结果，而是协议、REST 或 HTTP 错误。",
    "END505": "连接在结束之前断开，后面的内容丢失，客户端看到的是不完整的结果。",
    "RES601": "续接时任务或上下文改变，先前的提问便无人作答，对话被拆成两半。",
    "RES602": "一次请求中既有指明 toolCallId 的回答又有未指明的回答，接收方无法确定后者属于哪个提问。",
}


def reasons(lang: str) -> dict[str, str]:
    """Texts by rule for `View.reasons`: empty for English, which the rules speak themselves."""
    return REASONS_ZH if lang == "zh" else {}
