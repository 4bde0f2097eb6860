/** One file as a caller: a real conversation with its voice activity, recogniser and turn taking, in real time. */
import { Conversation } from '../../../dist/call/conversation.js';
import { systemClock } from '../../../dist/core/clock.js';
import { joined, SimulatedLine, silence } from '../turns/simulated-line.mjs';

const STEP_MS = 20;
/** Before the file: the detector knows the line by then. */
const LEAD_MS = 1_000;
/** Behind the end of the speech: as long as the turn taking waits for a final at most, and more. */
const PATIENCE_MS = 8_000;
/** After an answer something may still come of what was said before it. */
const AFTER_MS = 400;
const KEYS = { maxDigits: 1, terminator: '#', timeoutMs: 1_500 };
/** Until a sound that cannot be heard: an answer that is there at once, the hardest case for a caller who goes on. */
const SOUND = new Int16Array(160).fill(1);

/**
 * @param speech - `samples` of 8 kHz, `endMs`: where the speech in them ends.
 * @param deps - `settings` of a conversation, `vad` (engine), `open` (hints, signal) => recogniser, `metrics`, `agent`.
 * @returns `{ texts, answers, delayMs, cutOff, lateMs, failed }`: what the agent was asked, at which ms from the end of the speech,
 * how long the last answer took, whether one came while the caller still spoke, how late this machine was, how often the recogniser failed.
 */
export async function heardCall({ samples, endMs }, hints, deps) {
  const clock = systemClock;
  const startedMs = clock.nowMs();
  const caller = joined(silence(LEAD_MS), samples);
  const spokenUntilMs = LEAD_MS + endMs;
  const seconds = (Math.max(spokenUntilMs, caller.length / 8) + PATIENCE_MS) / 1000;
  const line = new SimulatedLine(clock, { seconds, caller });
  const collect = hints.expect.includes('digits') ? { ...KEYS, maxDigits: 20, timeoutMs: 3_000 } : KEYS;
  const answers = [];
  let failed = 0;
  const logger = countingLogger(() => {
    failed += 1;
  });
  const conversation = new Conversation({
    ...{ port: line, clock, logger, metrics: deps.metrics, agent: deps.agent, variables: {} },
    settings: { ...deps.settings, greetingDelayMs: 0, noInputMs: 600_000 },
    vad: deps.vad.open({
      ...{ startMs: deps.settings.vadStartMs, hangoverMs: deps.settings.vadHangoverMs },
      minLevelDb: deps.settings.vadLevelDb,
    }),
    reply: {
      name: 'bench',
      available: () => ({ ok: true }),
      greeting: () => '',
      expects: () => ({ hints, collect }),
      async *reply({ input, text }) {
        if (input === 'speech') answers.push({ text, afterMs: clock.nowMs() - startedMs - spokenUntilMs });
        yield { type: 'text', text: '.', language: deps.language };
      },
      close: async () => {},
    },
    openStt: (wanted, signal) => deps.open(wanted, signal),
    async *synthesize() {
      yield SOUND;
    },
    ...{ sink: () => {}, transfer: async () => false, end: () => {} },
  });
  let lateMs = 0;
  try {
    conversation.greet();
    for (let step = 1; step * STEP_MS <= seconds * 1000; step += 1) {
      const dueMs = startedMs + step * STEP_MS;
      while (clock.nowMs() < dueMs) await wait(dueMs - clock.nowMs());
      lateMs = Math.max(lateMs, clock.nowMs() - dueMs);
      line.step();
      conversation.tick();
      const last = answers.at(-1);
      if (last && last.afterMs >= 0 && clock.nowMs() - startedMs - spokenUntilMs > last.afterMs + AFTER_MS) break;
    }
  } finally {
    conversation.close();
  }
  const after = answers.findLast(({ afterMs }) => afterMs >= 0);
  return {
    texts: answers.map(({ text }) => text),
    ...{ answers: answers.map(({ afterMs }) => afterMs), delayMs: after?.afterMs },
    ...{ cutOff: answers.some(({ afterMs }) => afterMs < 0), lateMs, failed },
  };
}

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
/** Faults of engines are counted, and what is said of them is in the gateway's log alone. */
function countingLogger(warn) {
  const logger = { warn, error: warn, info() {}, debug() {}, child: () => logger };
  return logger;
}
