#!/usr/bin/env node
/**
 * Live transcription sockets that one core holds, the recogniser left out (it answers from a script). The server runs in a
 * process of its own, whose processor time is read while clients send speech and pauses in real time.
 *
 *   node scripts/bench/sockets.mjs [sockets] [seconds] [frame ms] [sample rate]     (after: npm run build)
 */
import { fork } from 'node:child_process';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import Fastify from 'fastify';
import WebSocket from 'ws';

const dist = new URL('../../dist/', import.meta.url);
const TOKEN = 'bench';
/** Budget: sockets that one core holds, the recogniser excluded. */
const PER_CORE_MIN = 500;
const WARM_UP_MS = 2_000;
const FRAME_MS = 20; // as the gateway hears it, whatever the client sends
let heardFrames = 0;

if (process.argv[2] === 'server') await serve();
else await drive(...process.argv.slice(2).map(Number));

async function serve() {
  const load = (path) => import(new URL(path, dist));
  const { transcribeSocketRoute } = await load('api/transcribe-socket/socket.js');
  const { SocketTokens } = await load('api/socket-tokens.js');
  const { RequestRates } = await load('api/rate-limit.js');
  const { systemClock: clock } = await load('core/clock.js');
  const { silentLogger: logger } = await load('core/logger.js');
  const { createMetrics } = await load('core/metrics.js');
  const { createScriptedStt } = await load('engines/stt/scripted.js');
  const { createVadEngine } = await load('engines/vad/vad-engines.js');
  const app = Fastify();
  await transcribeSocketRoute(app, {
    ...{ clock, logger, metrics: createMetrics(), vad: counting(await createVadEngine('combined')) },
    stt: createScriptedStt({ texts: Array(1000).fill('I would like to book a table for two'), languages: ['en-US'] }),
    socketTokens: new SocketTokens(clock),
    tokens: { authenticate: async () => ({ accountId: 'acc', tokenId: 'tok' }) },
    sessions: { begin: async () => 'ok', checkpoint: async () => 'ok', end: () => 3 },
    rates: new RequestRates(clock, { requestsPerMinute: 1e9, requestBurst: 1e9 }),
    load: { overloaded: false },
    limits: { socketsPerAccount: 100_000, socketsTotal: 100_000, socketMaxSeconds: 7_200 },
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const delay = monitorEventLoopDelay({ resolution: 5 });
  let cpu;
  let heardBefore = 0;
  process.on('message', (message) => {
    if (message === 'begin') {
      delay.enable();
      delay.reset();
      cpu = process.cpuUsage();
      heardBefore = heardFrames;
    } else {
      const { user, system } = process.cpuUsage(cpu);
      const rssMb = process.memoryUsage().rss / 1e6;
      const heardMs = (heardFrames - heardBefore) * FRAME_MS;
      process.send({
        cpuMs: (user + system) / 1000,
        heardMs,
        p99Ms: delay.percentile(99) / 1e6,
        maxMs: delay.max / 1e6,
        rssMb,
      });
    }
  });
  process.send({ port: app.server.address().port, rssMb: process.memoryUsage().rss / 1e6 });
}

/** Every frame of audio that is heard passes the voice activity detector. */
function counting(vad) {
  return {
    ...vad,
    open: (options) => {
      const detector = vad.open(options);
      const push = detector.push.bind(detector);
      detector.push = (frame) => {
        heardFrames += 1;
        return push(frame);
      };
      return detector;
    },
  };
}

async function drive(sockets = 300, seconds = 8, frameMs = 40, rate = 16_000) {
  const server = fork(new URL(import.meta.url).pathname, ['server']);
  const answer = () => new Promise((resolve) => server.once('message', resolve));
  const { port, rssMb: emptyMb } = await answer();
  const frames = speech(rate, frameMs);
  const clients = [];
  let [finals, interims, errors] = [0, 0, 0];
  for (let i = 0; i < sockets; i += 1) {
    const ws = new WebSocket(`ws://127.0.0.1:${port}/v1/transcribe/ws`, {
      headers: { authorization: `Bearer ${TOKEN}` },
      perMessageDeflate: false,
    });
    await new Promise((resolve, reject) => ws.once('open', resolve).once('error', reject));
    ws.on('message', (data) => {
      const text = String(data);
      if (text.includes('"final":true')) finals += 1;
      else if (text.includes('"final":false')) interims += 1;
      else if (text.includes('"error"')) errors += 1;
    });
    ws.send(JSON.stringify({ type: 'start', language: 'en-US', sample_rate: rate }));
    clients.push({ ws, at: Math.floor((i * frames.length) / sockets) });
  }
  const groups = frameMs / 4; // clients send at different moments
  let tick = 0;
  const startMs = performance.now();
  const timer = setInterval(() => {
    for (; tick * 4 < performance.now() - startMs; tick += 1) {
      for (let i = tick % groups; i < clients.length; i += groups) {
        const client = clients[i];
        client.ws.send(frames[client.at]);
        client.at = (client.at + 1) % frames.length;
      }
    }
  }, 2);
  await new Promise((resolve) => setTimeout(resolve, WARM_UP_MS));
  [finals, interims] = [0, 0];
  server.send('begin');
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  server.send('end');
  const { cpuMs, heardMs, p99Ms, maxMs, rssMb } = await answer();
  clearInterval(timer);
  const share = cpuMs / (seconds * 1000);
  const perCore = Math.round(heardMs / cpuMs); // what was heard, not what was sent: a busy machine catches up later
  console.log(
    `${sockets} sockets, PCM ${rate} Hz, ${frameMs} ms frames, ${seconds} s: ${(share * 100).toFixed(0)} % of a core, ` +
      `so ${perCore} per core (budget ${PER_CORE_MIN}: ${perCore >= PER_CORE_MIN ? 'kept' : 'MISSED'}); event loop p99 ` +
      `${p99Ms.toFixed(1)} ms, max ${maxMs.toFixed(1)} ms; ` +
      `${((rssMb - emptyMb) / sockets).toFixed(2)} MB a socket; ${finals} finals, ${interims} interims, ${errors} errors`,
  );
  for (const { ws } of clients) ws.terminate();
  server.kill();
}

/** Six seconds: words of voiced-like buzz with syllables, and pauses, over a little noise. */
function speech(rate, frameMs) {
  const samples = Int16Array.from({ length: 6 * rate }, (_, i) => {
    const t = i / rate;
    const noise = (Math.random() - 0.5) * 60;
    if (t % 3 > 1.8) return noise;
    let buzz = 0;
    for (let k = 1; k <= 20; k += 1) buzz += Math.sin(2 * Math.PI * 140 * k * t) / k;
    return noise + 5000 * buzz * (0.4 + 0.6 * Math.abs(Math.sin(2 * Math.PI * 2 * t)));
  });
  const size = (rate * frameMs) / 1000;
  return Array.from({ length: samples.length / size }, (_, i) => Buffer.from(samples.buffer, i * size * 2, size * 2));
}
