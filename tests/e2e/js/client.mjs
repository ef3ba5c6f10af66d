// What tests/e2e/conversations.py does, with the official JavaScript client.
// node client.mjs CARD_URL BINDING NAME CONTROL_URL CASE... prints {case: [event, ...]}.
// With KEEP=FOLDER each exchange but cards is kept there, as tests/e2e/tee.py keeps the Python client's.
import './keep.mjs';
import { ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory, RestTransportFactory } from '@a2a-js/sdk/client';

const [cardUrl, binding, name, control, ...cases] = process.argv.slice(2);
const GATES = ['gate-1', 'gate-2', 'gate-3'];
const legacyCompat = { enabled: true };
const factory = new ClientFactory({
  transports: [new JsonRpcTransportFactory({ legacyCompat }), new RestTransportFactory({ legacyCompat })],
  preferredTransports: [binding],
  cardResolver: new DefaultAgentCardResolver({ legacyCompat }),
});
const client = await factory.createFromUrl(cardUrl, '');

const open = (gate) => fetch(`${control}/gates/${gate}`, { method: 'POST' });
const close = () => fetch(`${control}/gates`, { method: 'DELETE' });

function message(talk, text, contextId = '', taskId = '') {
  return {
    tenant: '',
    configuration: undefined,
    metadata: undefined,
    message: {
      messageId: `m-${text}`,
      contextId: contextId || `${talk}-${text.split(' ').at(-1)}`,
      taskId,
      role: 1,
      parts: [{ content: { $case: 'text', value: text }, metadata: undefined, filename: '', mediaType: '' }],
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
    },
  };
}

async function* events(stream) {
  try {
    for await (const event of stream) yield { [event.payload.$case]: event.payload.value };
  } catch (error) {
    yield { exception: `${error.name}: ${error.message}` };
  }
}

async function told(stream) {
  const seen = [];
  for await (const event of events(stream)) seen.push(event);
  return seen;
}

const said = (event) => event.artifactUpdate?.artifact.parts[0]?.content?.value;
const single = (word) => (talk) => told(client.sendMessageStream(message(talk, `${word} please`)));

async function ask(talk) {
  const first = await told(client.sendMessageStream(message(talk, 'ask please')));
  const { contextId, taskId } = first.at(-1).statusUpdate;
  return [...first, ...(await told(client.sendMessageStream(message(talk, 'complete Beijing', contextId, taskId))))];
}

async function cancel(talk) {
  const seen = [];
  let answer;
  for await (const event of events(client.sendMessageStream(message(talk, 'wait please')))) {
    seen.push(event);
    if (event.artifactUpdate?.lastChunk) {
      answer = await client.cancelTask({ tenant: '', id: event.artifactUpdate.taskId, metadata: undefined });
    }
  }
  return [...seen, { canceled: answer.status.state }];
}

async function subscribe(talk) {
  const first = [];
  const second = [];
  let held;
  const reached = new Promise((resolve) => (held = resolve));
  const follow = async () => {
    const id = await reached;
    for await (const event of events(client.resubscribeTask({ tenant: '', id }))) {
      second.push(event);
      if (second.length === 1) await open('gate-1');
    }
  };
  const following = follow();
  for await (const event of events(client.sendMessageStream(message(talk, 'hold gate-1')))) {
    first.push(event);
    if (said(event) === 's1 ') held(event.artifactUpdate.taskId);
  }
  await following;
  return [...first, ...second];
}

async function parallel(talk) {
  const begun = new Set();
  const one = async (gate) => {
    const seen = [];
    for await (const event of events(client.sendMessageStream(message(talk, `hold ${gate}`)))) {
      seen.push(event);
      if (said(event) === 's1 ' && begun.add(gate).size === GATES.length) await open(GATES.at(-1));
    }
    const next = GATES.indexOf(gate) - 1;
    if (next >= 0) await open(GATES[next]);
    return seen;
  };
  return (await Promise.all(GATES.map(one))).flat();
}

const plays = { ask, cancel, subscribe, parallel };
const result = {};
for (const word of cases) {
  result[word] = await (plays[word] ?? single(word))(`${word}-${name}`);
  await close();
}
process.stdout.write(JSON.stringify(result));
