import type { Sample } from './operation.ts';
import { AGENT_ID, API_KEY, SOCKET_URL } from './samples.ts';

/** One question to an agent, and its answer. `clip.wav` is 16 kHz, 16-bit, mono. */
const TYPESCRIPT = `import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import WebSocket from 'ws'; // npm install ws

const FRAME_BYTES = 640; // 20 ms at 16 kHz
const silence = Buffer.alloc(FRAME_BYTES);
let speech = Buffer.alloc(0);
let greeted = false;
const socket = new WebSocket('${SOCKET_URL}/v1/agents/${AGENT_ID}/talk', {
  headers: { Authorization: 'Bearer ${API_KEY}' },
});
const send = (frame: object) => socket.send(JSON.stringify(frame));

async function microphone() {
  while (socket.readyState === WebSocket.OPEN) {
    socket.send(Buffer.concat([speech.subarray(0, FRAME_BYTES), silence]).subarray(0, FRAME_BYTES));
    speech = speech.subarray(FRAME_BYTES);
    await sleep(20);
  }
}

socket.on('message', async (data, isBinary) => {
  if (isBinary) return; // what the agent says, for a loudspeaker
  const frame = JSON.parse(String(data));
  if (frame.type === 'mark') return send(frame); // a loudspeaker would send it back when it comes to it
  console.log(frame);
  if (frame.type === 'error') process.exitCode = 1;
  if (frame.type === 'authenticated') send({ type: 'start' });
  if (frame.type === 'opened') void microphone();
  if (frame.type !== 'turn' || frame.role !== 'agent') return;
  if (frame.latency_ms !== undefined) return send({ type: 'end' }); // it has answered us
  if (greeted) return; // "One moment."
  greeted = true;
  speech = (await readFile('clip.wav')).subarray(44);
});`;

export const TALK_SAMPLES: readonly Sample[] = [{ lang: 'TypeScript', label: 'TypeScript', source: TYPESCRIPT }];
