// What the client receives, written down beside it: NAME.body, .headers, .rc and .request.json for each exchange.
// Bytes are passed on as the client asks for them: a stream that is cut would lose what waits in a queue.
import { writeFileSync } from 'node:fs';

const folder = process.env.KEEP;
const plain = globalThis.fetch;
const open = new Map();
let count = 0;

function write(path, told, response, pieces, code) {
  const head = [...response.headers].map(([name, value]) => `${name}: ${value}`);
  writeFileSync(`${path}.request.json`, JSON.stringify(told));
  writeFileSync(`${path}.headers`, [`HTTP/1.1 ${response.status}`, ...head, '', ''].join('\r\n'));
  writeFileSync(`${path}.body`, Buffer.concat(pieces));
  writeFileSync(`${path}.rc`, `curl_rc=${code}\n`);
}

function passing(body, pieces, done) {
  const reader = body.getReader();
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { done: over, value } = await reader.read();
          if (!over) {
            pieces.push(value);
            controller.enqueue(value);
            return;
          }
          done(0);
          controller.close();
        } catch (error) {
          done(18);
          controller.error(error);
        }
      },
      cancel(reason) {
        done(28);
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

async function keeping(input, init) {
  const request = new Request(input, init);
  const { pathname, search } = new URL(request.url);
  if (pathname.startsWith('/gates') || pathname.includes('/.well-known/')) return plain(input, init);
  const path = `${folder}/direct${String(++count).padStart(3, '0')}-HTTP-r1`;
  const body = await request.clone().text();
  const told = { method: request.method, target: pathname + search, headers: [...request.headers], body };
  const response = await plain(input, init);
  const pieces = [];
  const done = (code) => open.delete(path) && write(path, told, response, pieces, code);
  open.set(path, done);
  if (!response.body) {
    done(0);
    return response;
  }
  const { status, headers } = response;
  return new Response(passing(response.body, pieces, done), { status, headers });
}

if (folder) {
  globalThis.fetch = keeping;
  // a client that throws at an error frame reads no further
  process.on('exit', () => [...open.values()].forEach((done) => done(28)));
}
