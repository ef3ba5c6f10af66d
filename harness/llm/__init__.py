"""Recorded model calls: what an agent asked its model, and which tools the model then called.

    call = read(capture)        # a capture of the protocol LLM
    call.messages, call.calls, call.request_flaw, call.answer_flaw

Reads chat completions (OpenAI form), streamed or whole. Another form, a request that was cut and
an answer that breaks off are flaws of the value, never raised. Rank 2.
"""

from __future__ import annotations

from harness.llm.read import read
from harness.llm.values import Message, ModelCall, ToolCall

__all__ = ["Message", "ModelCall", "ToolCall", "read"]
