import { SLOTS, usedNs } from './phones.mjs';

/** The calls of one build on a media thread without the thread: its sockets, its wheel, its slots. */

const RECORDING_SAMPLES = 65_536;
const TONE = Int16Array.from({ length: 1_600 }, (_, i) => 4_000 * Math.sin(i / 8));
/** Main reads what was heard, and says more, so often. */
const MAIN_EVERY_FRAMES = 7;
const LOOKS_MAX = 16;

/** @param build - a folder like `dist`. */
export async function openCalls(build, phones, speaking) {
  const load = (file) => import(`${build}/media/${file}.js`);
  const { WorkerCall } = await load('worker/worker-call');
  const { CallSlot } = await load('worker/call-slot');
  const { TickWheel } = await load('worker/tick-wheel');
  const { UnprovenBudget, allocateUnprovenTable } = await load('rtp/unproven-budget');
  const { allocateCallAudio } = await load('plane/call-audio');
  const { allocatePcmRing, PcmRing } = await load('plane/pcm-ring');
  const { QuietWatch } = await load('plane/quiet-watch');
  const { DirectIo } = await load('io/direct-io');
  const { loadSystemCalls } = await load('io/system-calls');

  let nowMs = 1_000;
  const now = () => nowMs;
  const io = new DirectIo(loadSystemCalls(), '127.0.0.1', now);
  const wheel = new TickWheel();
  const unproven = new UnprovenBudget(allocateUnprovenTable(1));
  const settings = { rtpTimeoutMs: 30_000, jitter: { minMs: 20, maxMs: 200 }, cname: 'bench', comfortNoiseDb: -65 };
  const makeCall = (socket, { audio, former }, onEvent, openRtcp) =>
    new WorkerCall(socket, audio, { settings, unproven, former, srtp: {}, onEvent, openRtcp, now, utcMs: Date.now });
  const rings = phones.ports.map((phonePort, n) => {
    const audio = structuredClone(allocateCallAudio(8_000)); // as it comes to a thread
    const recording = allocatePcmRing(RECORDING_SAMPLES);
    const post = (message) => {
      if (message.type === 'fault') throw new Error(`${message.step}: ${message.reason}`);
      if (message.type === 'opened') phones.connect(n, message.port);
    };
    const slot = new CallSlot(n, { wheel, post, io, makeCall, onJoined() {}, onClosed() {} });
    slot.open({ type: 'open', call: n, port: 0, audio, former: [] });
    const media = {
      ...{ remote: { address: '127.0.0.1', port: phonePort }, signallingAddress: '127.0.0.1' },
      ...{ codec: 'PCMU', payloadType: 0, ptimeMs: 20, dtmfPayloadType: 101, direction: 'sendrecv' },
      ...{ rtcpMux: true, remoteRtcpPort: phonePort },
    };
    slot.receive(structuredClone({ type: 'configure', call: n, media }));
    if (!speaking) {
      slot.receive({ type: 'record', call: n, ring: structuredClone(recording) });
      new QuietWatch(audio.quiet).quiet = { fromDb: -85, toDb: 0 };
    }
    return {
      capture: new PcmRing(audio.capture),
      playout: new PcmRing(audio.playout),
      recording: new PcmRing(recording),
    };
  });
  wheel.start(nowMs);

  const sink = new Int16Array(RECORDING_SAMPLES);
  function main() {
    for (const { capture, playout, recording } of rings) {
      capture.read(sink);
      recording.read(sink);
      if (speaking && playout.queued < TONE.length) playout.write(TONE);
    }
  }
  const hear = () => {};
  let frames = 0;
  const side = {
    usedNs: 0,
    heard: phones.heard,
    frame() {
      if (frames % MAIN_EVERY_FRAMES === 0) main();
      frames += 1;
      for (let slot = 0; slot < SLOTS; slot += 1) {
        nowMs += 1;
        phones.speak(slot);
        const before = usedNs();
        for (let look = 0; look < LOOKS_MAX && io.poll(hear); look += 1);
        wheel.run(now);
        side.usedNs += usedNs() - before;
      }
      phones.hear();
    },
  };
  return side;
}
