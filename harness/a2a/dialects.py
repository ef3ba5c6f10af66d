"""What the versions of A2A call things: states, methods, event names, error codes.

Tables only. Sources: A2A v1.0 sections 4, 5.3, 5.4, 5.5; v0.3 types.ts and section 3.5.6.
v0.2 and v0.3 can not be told apart on the wire; what fits both is called `v0.3`.
"""

from __future__ import annotations

from typing import Literal

from harness.model.event import Dialect, EventKind, State

type Operation = Literal["stream", "send", "subscribe", "get", "list", "cancel", "push", "card"]
"""What a request asks for, whatever the version calls it."""

V1_STATES: dict[str, State] = {
    "TASK_STATE_SUBMITTED": "submitted",
    "TASK_STATE_WORKING": "working",
    "TASK_STATE_COMPLETED": "completed",
    "TASK_STATE_FAILED": "failed",
    "TASK_STATE_CANCELED": "canceled",
    "TASK_STATE_INPUT_REQUIRED": "input-required",
    "TASK_STATE_REJECTED": "rejected",
    "TASK_STATE_AUTH_REQUIRED": "auth-required",
    "TASK_STATE_UNSPECIFIED": "unknown",
}
V03_STATES: dict[str, State] = {
    "submitted": "submitted",
    "working": "working",
    "completed": "completed",
    "failed": "failed",
    "canceled": "canceled",
    "input-required": "input-required",
    "rejected": "rejected",
    "auth-required": "auth-required",
    "unknown": "unknown",
}
V03_REST_STATES: dict[str, State] = {**V1_STATES, "TASK_STATE_CANCELLED": "canceled"}
"""The 0.3 protobuf spells CANCELLED with two l; its SDKs print both."""
STATES: dict[str, State] = {**V03_REST_STATES, **V03_STATES}
"""Every spelling that any version knows; all others are `unknown`."""

ONEOF: dict[str, EventKind] = {
    "task": "task",
    "message": "message",
    "statusUpdate": "status",
    "artifactUpdate": "artifact",
}
"""v1.0 and REST: the member that names the event."""
ONEOF_SNAKE: dict[str, EventKind] = {"status_update": "status", "artifact_update": "artifact"}
"""Wrong spellings that are read all the same, so that what follows is judged."""
KINDS: dict[str, EventKind] = {
    "task": "task",
    "message": "message",
    "status-update": "status",
    "artifact-update": "artifact",
}
"""v0.2 and v0.3 over JSON-RPC: the value of `kind`."""

METHODS: dict[str, tuple[Operation, Dialect]] = {
    "SendStreamingMessage": ("stream", "v1.0"),
    "SendMessage": ("send", "v1.0"),
    "SubscribeToTask": ("subscribe", "v1.0"),
    "GetTask": ("get", "v1.0"),
    "ListTasks": ("list", "v1.0"),
    "CancelTask": ("cancel", "v1.0"),
    "CreateTaskPushNotificationConfig": ("push", "v1.0"),
    "GetTaskPushNotificationConfig": ("push", "v1.0"),
    "ListTaskPushNotificationConfigs": ("push", "v1.0"),
    "DeleteTaskPushNotificationConfig": ("push", "v1.0"),
    "GetExtendedAgentCard": ("card", "v1.0"),
    "message/stream": ("stream", "v0.3"),
    "message/send": ("send", "v0.3"),
    "tasks/resubscribe": ("subscribe", "v0.3"),
    "tasks/get": ("get", "v0.3"),
    "tasks/list": ("list", "v0.3"),
    "tasks/cancel": ("cancel", "v0.3"),
    "tasks/pushNotificationConfig/set": ("push", "v0.3"),
    "tasks/pushNotificationConfig/get": ("push", "v0.3"),
    "tasks/pushNotificationConfig/list": ("push", "v0.3"),
    "tasks/pushNotificationConfig/delete": ("push", "v0.3"),
    "agent/getAuthenticatedExtendedCard": ("card", "v0.3"),
}
STREAMING: frozenset[str] = frozenset({"stream", "subscribe"})

JSONRPC_CODES: frozenset[int] = frozenset({-32700, -32600, -32601, -32602, -32603})
A2A_CODES: dict[int, str] = {
    -32001: "TASK_NOT_FOUND",
    -32002: "TASK_NOT_CANCELABLE",
    -32003: "PUSH_NOTIFICATION_NOT_SUPPORTED",
    -32004: "UNSUPPORTED_OPERATION",
    -32005: "CONTENT_TYPE_NOT_SUPPORTED",
    -32006: "INVALID_AGENT_RESPONSE",
    -32007: "EXTENDED_AGENT_CARD_NOT_CONFIGURED",
    -32008: "EXTENSION_SUPPORT_REQUIRED",
    -32009: "VERSION_NOT_SUPPORTED",
}
A2A_RESERVED = range(-32099, -32000)
"""Where A2A's own codes lie (v1.0 section 9.5)."""


def known_codes(dialect: Dialect | None) -> frozenset[int]:
    """The A2A error codes that a version defines; a version that is not known has them all."""
    if dialect in ("v0.2", "v0.3"):
        return frozenset(code for code in A2A_CODES if code >= -32007)
    return frozenset(A2A_CODES)
