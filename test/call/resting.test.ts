import { describe, expect, it } from 'vitest';
import { Rest } from '../../src/call/rest.ts';
import { SpeechInput } from '../../src/call/speech-input.ts';
import type { VadDetector } from '../../src/engines/vad/contract.ts';
import { createVadEngine, DEFAULT_VAD_OPTIONS, VAD_ENGINE_NAMES } from '../../src/engines/vad/vad-engines.ts';
import { LevelStt, rig } from '../support/conversation-rig.ts';
import { EchoingPort, reading } from '../support/echoing-port.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { someOf } from '../support/property-runs.ts';
import { joined, mixed, noise, readClip, silence, speechClips } from '../support/speech-clips.ts';

const NO_ECHO = { delayMs: 0, lossDb: 96 };
/** One clip of each kind, and those with the longest pauses. */
const CLIPS = [...new Map(speechClips().map((clip) => [clip.kind, clip.file])).values(), 'read/goforward.wav'];
const LINES = [
  { line: 'a line of one bit of noise', under: (ms: number) => noise(ms, -84) },
  { line: 'a quiet line', under: (ms: number) => noise(ms, -66) },
  { line: 'a line with noise', under: (ms: number) => noise(ms, -52) },
  { line: 'a loud line', under: (ms: number) => noise(ms, -40) },
  {
    line: 'a sender that suppresses silence',
    under: (ms: number) => joined(silence(900), noise(ms / 2, -58), silence(ms)),
  },
  {
    line: 'noise that comes and goes',
    under: (ms: number) => joined(noise(2500, -44), noise(2500, -62), noise(ms, -50)),
  },
];

/** A caller who is quiet, says something twice, and is quiet again, over `noise`. */
function callOf(file: string, under: (ms: number) => Int16Array): Int16Array {
  const speech = readClip(file);
  const caller = joined(silence(4000), speech, silence(3100), speech, silence(2500));
  return mixed(caller, under(caller.length / 8).subarray(0, caller.length));
}

/** What is told, and when. */
function hear(
  vad: VadDetector,
  caller: Int16Array,
  measures: boolean,
  { stt = new LevelStt([]), agent = 'silent' }: { stt?: LevelStt; agent?: 'silent' | 'speaking' } = {},
) {
  const clock = new FakeClock();
  const port = new EchoingPort(clock, NO_ECHO, measures);
  port.caller = Int16Array.from(caller);
  const told: string[] = [];
  const tell = (what: string): void => void told.push(`${what} at ${clock.nowMs()}`);
  const ears = { hearingRateHz: 8_000, open: () => stt };
  const input = new SpeechInput(port, vad, clock, ears, {
    speechStart: (atMs) => tell(`start ${atMs}`),
    speechEnd: (atMs) => {
      tell(`end ${atMs}`);
      input.settle();
    },
    resumed: () => tell('resumed'),
    ...{ interim: () => {}, early: () => false, final: () => {}, recogniserFailed: () => {} },
  });
  const rest = new Rest(port);
  let ticks = 0;
  for (; clock.nowMs() < caller.length / 8; clock.advance(20)) {
    if (!rest.isOver(clock.nowMs())) continue;
    input.tick();
    rest.untilMs = input.restsUntilMs(agent);
    ticks += 1;
  }
  input.close();
  return { told, ticks };
}

describe.each(someOf(VAD_ENGINE_NAMES, 2))('what is plainly no voice may wait: %s', (name) => {
  it.each(someOf(LINES, 3))('$line: speech begins and ends when it did, and is told at once', async ({ under }) => {
    const engine = await createVadEngine(name);
    for (const file of CLIPS) {
      const caller = callOf(file, under);
      const rested = hear(engine.open(DEFAULT_VAD_OPTIONS), caller, true);
      const always = hear(engine.open(DEFAULT_VAD_OPTIONS), caller, false);
      expect(rested.told, file).toEqual(always.told);
      expect(always.ticks).toBe(Math.ceil(caller.length / 160));
    }
  });

  it.each([
    { agent: 'silent', perSecond: 2 },
    { agent: 'speaking', perSecond: 6 },
  ] as const)('a quiet line is looked at $perSecond times a second while the agent is $agent', async (row) => {
    const engine = await createVadEngine(name);
    const { ticks } = hear(engine.open(DEFAULT_VAD_OPTIONS), noise(20_000, -60), true, row);
    expect(ticks).toBeLessThan(20 * (row.perSecond + 2));
    expect(ticks).toBeGreaterThanOrEqual(20 * row.perSecond);
  });

  it('a recogniser that hears all of a line is given it at once', async () => {
    const engine = await createVadEngine(name);
    const stt = Object.assign(new LevelStt([]), { feed: 'everything' as const });
    expect(hear(engine.open(DEFAULT_VAD_OPTIONS), noise(5000, -60), true, { stt }).ticks).toBe(250);
  });
});

/** A call in which the agent greets, is talked over and asks whether anybody is there, as it is seen every 20 ms. */
async function conversation(measures: boolean, echo: { delayMs: number; lossDb: number }) {
  const engine = await createVadEngine('combined');
  let port: EchoingPort | undefined;
  const r = rig({
    vad: engine.open({ ...DEFAULT_VAD_OPTIONS, startMs: 200, hangoverMs: 200 }),
    collectDigits: 1,
    port: (clock) => {
      port = new EchoingPort(clock, echo, measures);
      return port;
    },
    async *synthesize() {
      for (const clip of reading()) yield clip.subarray(0, 8 * 3000);
    },
  });
  const speech = readClip('read/lv_0890.wav');
  const line = joined(silence(8000), speech, silence(40_000)).subarray(0, 8 * 40_000);
  port!.caller = Int16Array.from(mixed(line, noise(40_000, -62)));
  const seen: string[] = [];
  r.conversation.greet();
  for (let ms = 0; ms < 38_000; ms += 20) {
    await r.run(20);
    if (ms === 26_120) r.stt().emit({ type: 'final', text: 'at last', confidence: 0.9, startMs: 0, endMs: 0 });
    if (ms === 34_000) r.conversation.onDigit('5');
    const last = seen.at(-1);
    const state = `${r.conversation.state} ${r.turns.length} turns, ${r.requests.length} asked`;
    if (last === undefined || !last.startsWith(state)) seen.push(`${state} at ${ms}`);
  }
  r.conversation.close();
  return { seen, turns: r.turns, reads: port!.reads };
}

describe('a conversation that rests', () => {
  it('is looked at again at once where another recogniser takes over', async () => {
    const vad = (await createVadEngine('combined')).open(DEFAULT_VAD_OPTIONS);
    let port: EchoingPort | undefined;
    const r = rig({ vad, port: (clock) => (port = new EchoingPort(clock, NO_ECHO)) });
    port!.caller = Int16Array.from(noise(10_000, -62));
    await r.run(4000);
    for (let { reads } = port!; port!.reads === reads; ) await r.run(20); // that was a look
    const { reads } = port!;
    await r.run(100);
    expect(port!.reads).toBe(reads);
    r.stt().fail(new Error('gone'));
    for (let i = 0; i < 30; i += 1) await Promise.resolve();
    Object.assign(r.stt(), { feed: 'everything' });
    await r.run(100);
    expect(r.stts).toHaveLength(2);
    expect(port!.reads).toBe(reads + 5);
    r.conversation.close();
  });

  it.each(someOf([{ delayMs: 160, lossDb: 20 }, NO_ECHO, { delayMs: 400, lossDb: 12 }], 3))(
    'goes the same way, 20 ms by 20 ms, with an echo of $lossDb dB after $delayMs ms',
    async (echo) => {
      const rested = await conversation(true, echo);
      const always = await conversation(false, echo);
      expect(rested.seen).toEqual(always.seen);
      expect(rested.turns).toEqual(always.turns);
      expect(rested.seen.length).toBeGreaterThan(6);
      expect(rested.reads).toBeLessThan(0.65 * always.reads); // an echo is looked at
    },
  );
});
