// What the client receives, written down beside it: NAME.body, .headers, .rc and .request.json for each exchange.
import { writeFile } from 'node:fs/promises';

const folder = process.env.KEEP;
const plain = globalThis.fetch;
const kept = [];

async function save(stream, path) {
  const pieces = [];
  let code = 0;
  try {
    for await (const piece of stream ?? []) pieces.push(piece);
  } catch {
    code = 18;
  }
  await writeFile(`${path}.body`, Buffer.concat(pieces));
  await writeFile(`${path}.rc`, `curl_rc=${code}\n`);
}

async function keeping(input, init) {
  const request = new Request(input, init);
  const { pathname, search } = new URL(request.url);
  if (pathname.startsWith('/gates') || pathname.includes('/.well-known/')) return plain(input, init);
  const path = `${folder}/direct${String(kept.length + 1).padStart(3, '0')}-HTTP-r1`;
  const done = Promise.withResolvers?.() ?? resolvers();
  kept.push(done.promise);
  const body = await request.clone().text();
  const told = { method: request.method, target: pathname + search, headers: [...request.headers], body };
  await writeFile(`${path}.request.json`, JSON.stringify(told));
  const response = await plain(input, init);
  const head = [...response.headers].map(([name, value]) => `${name}: ${value}`);
  await writeFile(`${path}.headers`, [`HTTP/1.1 ${response.status}`, ...head, '', ''].join('\r\n'));
  const [mine, theirs] = response.body ? response.body.tee() : [null, null];
  save(mine, path).then(done.resolve, done.reject);
  return new Response(theirs, { status: response.status, headers: response.headers });
}

function resolvers() {
  const made = {};
  made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }));
  return made;
}

if (folder) {
  globalThis.fetch = keeping;
  process.on('beforeExit', () => Promise.all(kept));
}
