#!/usr/bin/env node
/**
 * Requests a second of the public API on one core, beside a bare fastify route in the same run: the server lives in this
 * thread over a real database, the client in another. Usage: node scripts/bench/api.mjs [seconds per case, default 3]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

const CONNECTIONS = 16;
const WARM_UP_SECONDS = 1;
/** Streams of which the first audio is timed. */
const STREAMS = 40;

if (isMainThread) await main();
else client(workerData);

/** Keeps every connection busy with one request at a time; answers are counted by their heads. */
function client({ port, request, seconds, connections }) {
  const bytes = Buffer.from(request);
  const times = [];
  let failed = 0;
  const endAt = performance.now() + (WARM_UP_SECONDS + seconds) * 1000;
  const sockets = Array.from({ length: connections }, () => {
    const socket = connect(port, '127.0.0.1');
    socket.setNoDelay(true);
    let sentAt = 0;
    let received = [];
    let total = 0;
    let wanted = 0;
    const send = () => {
      sentAt = performance.now();
      received = [];
      total = 0;
      wanted = 0;
      socket.write(bytes);
    };
    socket.on('connect', send);
    socket.on('error', () => {
      failed += 1;
    });
    socket.on('data', (chunk) => {
      received.push(chunk);
      total += chunk.length;
      if (wanted === 0) {
        const head = Buffer.concat(received).toString('latin1');
        const end = head.indexOf('\r\n\r\n');
        if (end < 0) return;
        wanted = end + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
        if (!head.startsWith('HTTP/1.1 200')) failed += 1;
      }
      if (total < wanted) return;
      const now = performance.now();
      if (now > endAt - seconds * 1000) times.push(now - sentAt);
      if (now < endAt) send();
    });
    return socket;
  });
  setTimeout(
    () => {
      for (const socket of sockets) socket.destroy();
      times.sort((a, b) => a - b);
      const at = (share) => times[Math.floor(times.length * share)] ?? Number.NaN;
      parentPort.postMessage({ perSecond: times.length / seconds, p50: at(0.5), p99: at(0.99), failed });
    },
    (WARM_UP_SECONDS + seconds) * 1000,
  );
}

function load(port, request, seconds, connections = CONNECTIONS) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(fileURLToPath(import.meta.url), { workerData: { port, request, seconds, connections } });
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

async function main() {
  const seconds = Number(process.argv[2] ?? 3);
  const folder = mkdtempSync(join(tmpdir(), 'nidaa-bench-api-'));
  const { open } = await import('./api-server.mjs');
  const { app, bare, token, agentId, close } = await open(folder);
  try {
    const port = app.server.address().port;
    const post = (path, body, accept = '*/*') =>
      head('POST', path, token, `Accept: ${accept}\r\nContent-Type: application/json\r\n`, JSON.stringify(body));
    const sentence = 'المبلغ المستحق عليك هو 250 ريال وموعد السداد يوم 12/03/2026';
    const cases = [
      [
        'bare fastify, JSON in and out',
        bare,
        head('POST', '/', '', 'Content-Type: application/json\r\n', JSON.stringify({ text: sentence })),
      ],
      ['GET /v1/models', port, head('GET', '/v1/models', token, '', '')],
      ['GET /v1/voices', port, head('GET', '/v1/voices', token, '', '')],
      ['POST /v1/text/normalize', port, post('/v1/text/normalize', { text: sentence })],
      ['GET /v1/agents (database)', port, head('GET', '/v1/agents', token, '', '')],
      ['POST /v1/privacy/redact (charged)', port, post('/v1/privacy/redact', { text: sentence })],
      [
        'POST reply, text (charged)',
        port,
        post(`/v1/agents/${agentId}/reply`, { text: 'where is my order', audio: false }),
      ],
      [
        'POST /v1/speech, mulaw (charged)',
        port,
        post('/v1/speech', { text: 'Hello, how can I help you today?', format: 'mulaw' }),
        4,
      ],
      ['POST /v1/speech, mp3 (charged)', port, post('/v1/speech', { text: 'Hello, how can I help you today?' }), 4],
    ];
    let bareRate = 0;
    for (const [name, at, request, connections] of cases) {
      const cpu = process.cpuUsage();
      const result = await load(at, request, seconds, connections);
      const used = process.cpuUsage(cpu);
      const cores = (used.user + used.system) / 1e6 / (seconds + WARM_UP_SECONDS);
      bareRate ||= result.perSecond;
      const share = `${(result.perSecond / bareRate).toFixed(2)} of bare`;
      console.log(
        `${name.padEnd(36)} ${result.perSecond.toFixed(0).padStart(6)}/s  p50 ${result.p50.toFixed(1)} ms  p99 ${result.p99.toFixed(1)} ms  ` +
          `${share}  ${cores.toFixed(2)} cores${result.failed ? `  ${result.failed} FAILED` : ''}`,
      );
    }
    await firstChunk(port, token);
  } finally {
    await close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** From sending a text nobody said before to its first audio, and to its last, one at a time. */
async function firstChunk(port, token) {
  const times = { first: [], last: [] };
  for (let n = 0; n < STREAMS; n += 1) {
    const text = `Delivery number ${n + 1} leaves the warehouse this morning. It reaches your door before noon, and the driver calls you ten minutes ahead.`;
    const startedMs = performance.now();
    const response = await fetch(`http://127.0.0.1:${port}/v1/speech/stream`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ text, voice: 'emma', format: 'mulaw' }),
    });
    let firstMs;
    for await (const _ of response.body) firstMs ??= performance.now() - startedMs;
    times.first.push(firstMs);
    times.last.push(performance.now() - startedMs);
  }
  const at = (list, share) => list.sort((a, b) => a - b)[Math.floor(list.length * share)].toFixed(0);
  const row = (list) => `p50 ${at(list, 0.5)} ms  p95 ${at(list, 0.95)} ms`;
  console.log(`streamed speech of two sentences: first audio ${row(times.first)}; last ${row(times.last)}`);
}

function head(method, path, token, headers, body) {
  const authorization = token === '' ? '' : `Authorization: Bearer ${token}\r\n`;
  const length = method === 'POST' ? `Content-Length: ${Buffer.byteLength(body)}\r\n` : '';
  return `${method} ${path} HTTP/1.1\r\nHost: bench\r\n${authorization}${headers}${length}\r\n${body}`;
}
