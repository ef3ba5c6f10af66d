"""ReAct agent: asks the model, runs its tool calls through the rails, asks again until there is an answer."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing

from harness.testbed.core import chunks, rails, spelling
from harness.testbed.core.chunks import Chunk, Turn
from harness.testbed.core.conversation import Conversation
from harness.testbed.core.model_client import ModelClient, ModelError, Piece, Said, ToolCall
from harness.testbed.core.rails import Interrupt
from harness.testbed.model.reply import STEERING
from harness.testbed.model.scripts import AGENTS
from harness.testbed.plan import Plan

MODEL_FAILED = "model call failed"


class ReactAgent:
    """An agent that thinks by calling a model; a remote agent is a tool whose rail interrupts."""

    def __init__(self, name: str, remotes: Sequence[str], model_url: str, system: str) -> None:
        self.name = name
        self._remotes = tuple(remotes)
        self._system = system
        self._model = ModelClient(model_url)
        self._talks: dict[str, Conversation] = {}

    def talk(self, context_id: str) -> Conversation:
        """The conversation of a contextId."""
        if context_id not in self._talks:
            self._talks[context_id] = Conversation(context_id, self._system)
        return self._talks[context_id]

    async def close(self) -> None:
        """Close the connections to the model."""
        await self._model.close()

    async def stream(self, turn: Turn, plan: Plan) -> AsyncGenerator[Chunk]:
        """The chunks of one turn."""
        plan = plan.remote if self.name in AGENTS else plan
        talk = self.talk(turn.context_id)
        if turn.results:
            talk.resume(turn.results)
        else:
            talk.open(turn.text)
        async with aclosing(self.go_on(turn, plan)) as rest:
            async for one in rest:
                yield one

    async def go_on(self, turn: Turn, plan: Plan) -> AsyncGenerator[Chunk]:
        """The chunks from here to the next end: an answer, interrupts, or a fault."""
        talk = self.talk(turn.context_id)
        said: Said | None = None
        while not talk.waiting:
            self._steer(talk, turn, plan)
            try:
                async with aclosing(self._ask(talk, turn, plan)) as pieces:
                    async for piece in pieces:
                        if isinstance(piece, Said):
                            said = piece
                        else:
                            yield chunks.token(piece.kind, talk.number(), piece.text)
            except ModelError as fault:
                yield _fault(plan, str(fault))
                return
            assert said is not None
            talk.messages.append(said.message)
            if said.tokens:
                yield chunks.usage(*said.tokens)
            if not said.calls:
                yield chunks.answer(said.content)
                return
            self._run(talk, said.calls, plan)
        for one in self._interrupts(talk, plan):
            yield one

    def _ask(self, talk: Conversation, turn: Turn, plan: Plan) -> AsyncGenerator[Piece | Said]:
        model = plan.model(AGENTS.get(self.name, plan.script))
        return self._model.stream(model, talk.messages, rails.cards(self._remotes), turn.headers)

    def _steer(self, talk: Conversation, turn: Turn, plan: Plan) -> None:
        """Drain the steering queue into the next request."""
        texts, talk.steering = talk.steering, []
        while not turn.steer.empty():
            text = turn.steer.get_nowait()
            if "steering-dropped" not in plan.defects:
                texts.append(text)
        talk.messages += [{"role": "user", "content": f"{STEERING} {text}"} for text in texts]

    def _run(self, talk: Conversation, calls: tuple[ToolCall, ...], plan: Plan) -> None:
        """Run every call of a reply; all that interrupt do so before one of them is resumed."""
        talk.called([call.id for call in calls])
        for call in calls:
            if one := rails.interrupt(call, self._remotes):
                talk.waiting[call.id] = one
            else:
                talk.returned(call.id, rails.run(call))
        questions = [one for one in talk.waiting.values() if not one.delegates]
        if "interaction-lost" in plan.defects and len(questions) > 1:
            talk.resume({questions[-1].call.id: ""})

    def _interrupts(self, talk: Conversation, plan: Plan) -> list[Chunk]:
        waiting = list(talk.waiting.values())
        if "interaction-doubled" in plan.defects:
            waiting += [_again(one) for one in waiting if not one.delegates]
        frames = [spelling.spelled(n, one, plan.core) for n, one in enumerate(waiting)]
        if "object-as-text" in plan.defects:
            text = spelling.printed_interaction(frames[0])
            return [chunks.token("llm_output", talk.number(), text), *frames]
        return frames


def _again(one: Interrupt) -> Interrupt:
    """The same question under another id."""
    name = f"{one.id}_2"
    value = one.value | {"toolCallId": name} if isinstance(one.value, dict) else one.value
    return Interrupt(one.call._replace(id=name), name, value, False)


def _fault(plan: Plan, reason: str) -> Chunk:
    if "failure-as-answer" not in plan.defects:
        return chunks.error(f"{MODEL_FAILED}: {reason}")
    return (chunks.false_answer if plan.core == "java" else chunks.python_false_answer)(MODEL_FAILED)
