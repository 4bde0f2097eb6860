/** One simulated call: a real conversation with a real voice activity detector on a simulated line. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { Conversation } from '../../../dist/call/conversation.js';
import { conversationSettings } from '../../../dist/compose/conversation-parts.js';
import { createMetrics } from '../../../dist/core/metrics.js';
import { createVadEngine } from '../../../dist/engines/vad/vad-engines.js';
import { SimulatedClock, SimulatedLine } from './simulated-line.mjs';

const config = parse(readFileSync(new URL('../../../config/nidaa.yaml', import.meta.url), 'utf8'));
const SETTINGS = conversationSettings(config);
const vadEngine = await createVadEngine('combined');
const LOGGER = { info() {}, warn() {}, error() {}, debug() {}, child: () => LOGGER };
/** From flush to final where nothing else is said: what a grammar takes on a quiet machine. */
const FINAL_MS = 60;
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/**
 * @param scene - `seconds`, `language`, `greeting`, `caller` (samples from the start of the call), `echo`, `floorDb`,
 * `hearing` (`RealHearing` or `KnownHearing`), `hints`, `collect`, `finalMs`, `speech` (text -> samples), `answer`.
 * @returns what happened, in ms since the start.
 */
export async function call(scene) {
  const clock = new SimulatedClock();
  const line = new SimulatedLine(clock, scene);
  const { language, hearing, finalMs = FINAL_MS, hints, speech } = scene;
  const requests = [];
  const turns = [];
  const metrics = createMetrics();
  const collect = scene.collect ?? { maxDigits: 1, terminator: '#', timeoutMs: 1500 };
  const conversation = new Conversation({
    ...{ port: line, clock, logger: LOGGER, metrics, settings: { ...SETTINGS, greetingDelayMs: 0, ...scene.settings } },
    agent: {
      ...{ id: 'agt_bench', accountId: 'acc_bench', version: 1, status: 'live', updatedAt: new Date(0) },
      definition: {
        ...{ name: 'Bench', language: language === 'ar' ? 'ar-SA' : 'en-US', voice: 'x', model: 'sada-1' },
        greeting: { [language]: scene.greeting },
      },
    },
    variables: {},
    vad: vadEngine.open({
      ...{ startMs: SETTINGS.vadStartMs, hangoverMs: SETTINGS.vadHangoverMs, minLevelDb: SETTINGS.vadLevelDb },
    }),
    reply: {
      name: 'bench',
      available: () => ({ ok: true }),
      greeting: () => scene.greeting,
      expects: () => ({ hints, collect }),
      async *reply(request) {
        requests.push({ atMs: clock.nowMs(), text: request.text, input: request.input });
        yield { type: 'text', text: scene.answer, language };
      },
      close: async () => {},
    },
    openStt: (wanted) => hearing.open(clock, wanted, finalMs),
    async *synthesize(text) {
      const samples = speech(text, language);
      for (let at = 0; at < samples.length; at += 800) yield samples.subarray(at, at + 800);
    },
    sink: (turn) => turns.push(turn),
    transfer: async () => false,
    end: () => {},
  });
  conversation.greet();
  const greetingMs = scene.greeting === '' ? 0 : speech(scene.greeting, language).length / 8;
  for (let passedMs = 0; passedMs < scene.seconds * 1000; passedMs += 20) {
    line.step();
    conversation.tick();
    await nextTurn();
    clock.advance(20);
  }
  const interruptions = line.clearedAtMs.filter((atMs) => atMs < scene.seconds * 1000 - 1);
  const said = turns.filter(({ role }) => role === 'agent').map(({ text }) => text);
  conversation.close();
  return { requests, turns, said, interruptions, sounded: line.sounded, greetingMs };
}
