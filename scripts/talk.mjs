// Calls an agent over its audio socket, speaks recordings to it, one after each thing that it says, and keeps what is heard.
//   NIDAA_URL=http://127.0.0.1:8080 NIDAA_TOKEN=service_sk_live_... node scripts/talk.mjs AGENT_ID HEARD.wav SPEECH.wav...
// Recordings are 16-bit mono, all of one rate: 8000 or 16000 Hz. HEARD.wav gets that rate.
import { readFileSync, writeFileSync } from 'node:fs';
import WebSocket from 'ws';

const FRAME_MS = 20;
const HEADER_BYTES = 44;
/** After the agent's last answer. */
const LINGER_MS = 1_000;

const [agent, heardFile, ...speechFiles] = process.argv.slice(2);
const { NIDAA_URL = 'http://127.0.0.1:8080', NIDAA_TOKEN } = process.env;
if (!agent || !heardFile || speechFiles.length === 0 || !NIDAA_TOKEN) {
  console.error('usage: NIDAA_URL=... NIDAA_TOKEN=... node scripts/talk.mjs AGENT_ID HEARD.wav SPEECH.wav...');
  process.exit(2);
}

/** The samples of a WAV file as bytes, and their rate. */
function readSpeech(file) {
  const bytes = readFileSync(file);
  const at = bytes.indexOf('data', 12) + 8;
  return { rate: bytes.readUInt32LE(24), audio: bytes.subarray(at) };
}

function wavFile(audio, rate) {
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('RIFF', 0);
  header.writeUInt32LE(audio.length + HEADER_BYTES - 8, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20); // PCM
  header.writeUInt16LE(1, 22); // mono
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE(rate * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36);
  header.writeUInt32LE(audio.length, 40);
  return Buffer.concat([header, audio]);
}

const speech = speechFiles.map(readSpeech);
const { rate } = speech[0];
const frameBytes = (2 * rate * FRAME_MS) / 1000;
const silence = Buffer.alloc(frameBytes);

/** A loudspeaker: what came is played at the pace of time, and marks are answered when it is their turn. */
const player = { waiting: Buffer.alloc(0), marks: [], played: 0, heard: [] };
const microphone = { waiting: Buffer.alloc(0), greeted: false, lastWords: false, quietSinceMs: 0 };

// A browser gets its token like this from its own server, and connects with `?token=`.
const issued = await fetch(`${NIDAA_URL}/v1/agents/${agent}/talk/token`, {
  method: 'POST',
  headers: { Authorization: `Bearer ${NIDAA_TOKEN}`, 'Content-Type': 'application/json' },
  body: JSON.stringify({ from: 'talk.mjs' }),
});
if (!issued.ok) throw new Error(`no token: ${issued.status} ${await issued.text()}`);
const { token } = await issued.json();
const socket = new WebSocket(`${NIDAA_URL.replace(/^http/, 'ws')}/v1/agents/${agent}/talk?token=${token}`);
const send = (frame) => socket.send(JSON.stringify(frame));
let timer;
let dueMs = 0;

function tick() {
  dueMs += FRAME_MS;
  timer = setTimeout(tick, dueMs - performance.now());
  const played = player.waiting.subarray(0, frameBytes);
  player.waiting = player.waiting.subarray(frameBytes);
  player.played += played.length;
  player.heard.push(Buffer.concat([played, silence]).subarray(0, frameBytes));
  while (player.marks[0] && player.marks[0].at <= player.played)
    send({ type: 'mark', name: player.marks.shift().name });
  const spoken = microphone.waiting.subarray(0, frameBytes);
  microphone.waiting = microphone.waiting.subarray(frameBytes);
  socket.send(Buffer.concat([spoken, silence]).subarray(0, frameBytes));
  if (microphone.lastWords && player.waiting.length === 0 && performance.now() - microphone.quietSinceMs > LINGER_MS) {
    send({ type: 'end' });
    microphone.lastWords = false;
  }
}

/** The agent is through. It is our turn after the greeting and after an answer to us, not after "one moment". */
function answer({ latency_ms }) {
  if (microphone.greeted && latency_ms === undefined) return;
  microphone.greeted = true;
  const next = speech.shift();
  if (next) microphone.waiting = next.audio;
  else Object.assign(microphone, { lastWords: true, quietSinceMs: performance.now() });
}

function onFrame(frame) {
  if (frame.type === 'mark')
    return void player.marks.push({ name: frame.name, at: player.played + player.waiting.length });
  console.log(JSON.stringify(frame));
  if (frame.type === 'authenticated') send({ type: 'start', sample_rate: rate });
  if (frame.type === 'opened') {
    dueMs = performance.now();
    tick();
  }
  if (frame.type === 'clear') Object.assign(player, { waiting: Buffer.alloc(0), marks: [] });
  if (frame.type === 'turn' && frame.role === 'agent') answer(frame);
  if (frame.type === 'error') process.exitCode = 1;
}

socket.on('message', (data, isBinary) => {
  if (isBinary) player.waiting = Buffer.concat([player.waiting, data]);
  else onFrame(JSON.parse(String(data)));
});
socket.on('close', (code) => {
  clearTimeout(timer);
  writeFileSync(heardFile, wavFile(Buffer.concat(player.heard), rate));
  console.log(`closed with ${code}; ${heardFile}: ${(player.heard.length * FRAME_MS) / 1000} s`);
});
