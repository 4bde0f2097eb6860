import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { decodeMulaw, encodeMulaw } from '../../../dist/audio/g711.js';
import { callEnd } from '../../../dist/call/call-end.js';
import { freePort } from './gateway-process.mjs';

const FRAME = 160;
const FRAME_MS = 20;
const RTP_HEADER = 12;
const VOICE_RMS = 200;
const AGENT_SPEAKS_MS = 1000; // so long before it is interrupted
const QUIET_MS = 350; // longer than the pauses inside a sentence of the agent
const GIVE_UP_MS = 15_000;

const rms = (samples) => Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);

/** From the first loud frame on: the onset is then the first packet, to the millisecond. */
export function fromFirstSound(samples) {
  let at = 0;
  while (at + FRAME < samples.length && rms(samples.subarray(at, at + FRAME)) < 1500) at += FRAME;
  return samples.subarray(at);
}

/**
 * A caller made of one RTP socket: it sends a packet every 20 ms and notes when each packet of the agent arrives and how
 * loud it is, before any jitter buffer. Interrupts the agent `count` times.
 *
 * @returns for each interruption the ms from sending the first packet of speech to the end of the last voiced packet.
 */
export async function interruptions(phone, { uri, speech, count }) {
  const socket = createSocket('udp4').bind(await freePort(20_000), '127.0.0.1'); // never one of the gateway's
  await once(socket, 'listening');
  const arrivals = []; // { atMs, voiced }
  socket.on('message', (datagram) => {
    if (datagram.length <= RTP_HEADER || (datagram[1] & 0x7f) !== 0) return;
    arrivals.push({ atMs: performance.now(), voiced: rms(decodeMulaw(datagram.subarray(RTP_HEADER))) > VOICE_RMS });
  });
  let remote;
  const port = {
    local: { address: '127.0.0.1', port: socket.address().port },
    configure: (media) => (remote = media.remote),
  };
  const leg = await phone.dial(port, { uri, from: 'bench' });
  let over = false;
  leg.setHandlers({ onMedia: () => {}, onDtmf: () => {}, onEnd: () => (over = true) });
  const sender = startSending(socket, remote);
  const measured = [];
  try {
    while (measured.length < count && !over) {
      if (!(await until(() => speaksSince(arrivals, AGENT_SPEAKS_MS)))) break;
      const onsetMs = await sender.speak(speech);
      const isQuiet = () => performance.now() - lastVoice(arrivals, onsetMs) >= QUIET_MS;
      if (!(await until(isQuiet))) break;
      const silentAtMs = lastVoice(arrivals, onsetMs) + FRAME_MS;
      measured.push({ onsetMs, silentMs: silentAtMs - onsetMs });
      await sender.done();
      arrivals.length = 0;
    }
  } finally {
    sender.stop();
    await leg.hangup(callEnd('caller', 'caller-hangup'));
    socket.close();
  }
  return { sipCallId: leg.info.sipCallId, measured };
}

/** Whether the agent has been speaking for `ms`, its short pauses included. */
function speaksSince(arrivals, ms) {
  const sinceMs = performance.now() - ms;
  const recent = arrivals.filter(({ atMs }) => atMs >= sinceMs);
  const last = recent.at(-1);
  return last?.voiced === true && recent.filter(({ voiced }) => voiced).length >= (ms / FRAME_MS) * 0.6;
}

function lastVoice(arrivals, otherwiseMs) {
  return arrivals.findLast(({ voiced }) => voiced)?.atMs ?? otherwiseMs;
}

async function until(holds) {
  const untilMs = performance.now() + GIVE_UP_MS;
  while (performance.now() < untilMs) {
    if (holds()) return true;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return false;
}

/** Sends silence, or what it is given, on an absolute clock. */
function startSending(socket, remote) {
  const silence = encodeMulaw(new Int16Array(FRAME));
  let queue = [];
  let onStart;
  let onDone;
  let sequence = 0;
  const startMs = performance.now();
  const timer = setInterval(() => {
    while (startMs + sequence * FRAME_MS <= performance.now()) {
      const payload = queue.shift() ?? silence;
      const packet = Buffer.alloc(RTP_HEADER + FRAME);
      packet.writeUInt16BE(0x8000, 0);
      packet.writeUInt16BE(sequence & 0xffff, 2);
      packet.writeUInt32BE(sequence * FRAME, 4);
      packet.writeUInt32BE(0x62656e63, 8);
      packet.set(payload, RTP_HEADER);
      socket.send(packet, remote.port, remote.address);
      sequence += 1;
      if (payload !== silence) {
        onStart?.(performance.now());
        onStart = undefined;
      }
      if (queue.length === 0) onDone?.();
    }
  }, 2);
  return {
    /** Resolves with the time of its first packet. */
    speak: (samples) => {
      queue = Array.from({ length: Math.floor(samples.length / FRAME) }, (_, i) =>
        encodeMulaw(samples.subarray(i * FRAME, (i + 1) * FRAME)),
      );
      return new Promise((resolve) => {
        onStart = resolve;
      });
    },
    done: () => (queue.length === 0 ? Promise.resolve() : new Promise((resolve) => (onDone = resolve))),
    stop: () => clearInterval(timer),
  };
}
