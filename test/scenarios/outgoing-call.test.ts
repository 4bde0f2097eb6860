import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { PcmFrame } from '../../src/audio/pcm.ts';
import { readWav } from '../../src/audio/wav.ts';
import { Billing } from '../../src/billing/billing.ts';
import { callEnd } from '../../src/call/call-end.ts';
import { CallRegistry } from '../../src/call/call-registry.ts';
import { CallTicker } from '../../src/call/call-ticker.ts';
import { OutgoingCalls } from '../../src/call/outgoing-calls.ts';
import { systemClock } from '../../src/core/clock.ts';
import { newId } from '../../src/core/ids.ts';
import { silentLogger } from '../../src/core/logger.ts';
import { createMetrics } from '../../src/core/metrics.ts';
import { createVadEngine } from '../../src/engines/vad/vad-engines.ts';
import type { MediaPlane } from '../../src/media/media-port.ts';
import { AGENT, LevelStt, SPEECH_LEVEL } from '../support/conversation-rig.ts';
import { openPlane } from '../support/media-plane-fixture.ts';
import { moneyFaults, openTestStore, type SharedTestStore } from '../support/postgres-store.ts';
import { receptionRig } from '../support/reception-rig.ts';
import { routeTo } from '../support/route.ts';
import { SignallingRig } from '../support/signalling-rig.ts';
import { amplitudeAt, tone } from '../support/tones.ts';
import { headerOf } from '../support/udp-caller.ts';
import { until } from '../support/until.ts';
import { VoicePhone } from '../support/voice-phone.ts';

const [GREETING_HZ, REPLY_HZ, CALLEE_HZ, EARLY_HZ] = [1000, 700, 440, 1500];
const GREETING = 'Hello, this is a call from your clinic.';
const ORDER = { from: '+966112223344', to: '+966500000007' };

/** Understands a tone as "yes". */
class ToneStt extends LevelStt {
  override write(frame: PcmFrame): void {
    const loud = frame.samples.some((sample) => Math.abs(sample) > 2000);
    if (loud) super.write({ ...frame, samples: new Int16Array([SPEECH_LEVEL]) });
  }
}

let database: SharedTestStore;
let billing: Billing;
let accountId: string;
let plane: MediaPlane;
let signalling: SignallingRig;
let callee: VoicePhone;
let registry: CallRegistry;
let calls: OutgoingCalls;

beforeAll(async () => {
  database = await openTestStore();
});
afterAll(() => database.close());
beforeEach(async () => {
  const { store, dataFolder } = database;
  billing = await Billing.open({ store, dataFolder, logger: silentLogger, metrics: createMetrics() });
  accountId = (await store.accounts.create('out')).id;
  await billing.ledger.topup(newId('chg'), accountId, 100);
  plane = await openPlane();
  signalling = await SignallingRig.open('listen');
  callee = await VoicePhone.open(signalling.embedded.listening[0]!.port);
  registry = new CallRegistry(10, systemClock);
  const vads = await createVadEngine('energy');
  const { deps } = receptionRig({ recorded: false });
  calls = new OutgoingCalls({
    ...{ ...deps, book: billing.callBook, media: plane, dialer: signalling.server, registry, clock: systemClock },
    ticker: new CallTicker(systemClock, silentLogger),
    recording: (id) => ({ path: join(dataFolder, `${id}.wav`), name: `${id}.wav` }),
    conversation: (agent, used) => {
      const parts = deps.conversation(agent, used);
      return {
        ...{ ...parts, clock: systemClock, vad: vads.open({ startMs: 60, hangoverMs: 200, minLevelDb: 8 }) },
        openStt: () => new ToneStt(['yes']),
        reply: { ...parts.reply, greeting: () => GREETING },
        synthesize: async function* (text) {
          yield tone(text === GREETING ? GREETING_HZ : REPLY_HZ, 8000);
        },
      };
    },
  });
});
afterEach(async () => {
  callee.close();
  await signalling.close();
  await plane.close();
  await billing.close();
  expect(await moneyFaults(database.store)).toEqual([]);
});

const place = (ringTimeoutMs = 20_000) =>
  calls.place({ ...ORDER, agent: { ...AGENT, accountId }, route: routeTo(callee.uri, ORDER.from), ringTimeoutMs });
const record = async () => {
  const call = await until(async () => {
    await billing.drained(10_000);
    const [newest] = await database.store.calls.list({ accountId });
    return newest?.endedAt ? newest : undefined;
  }, 'the record');
  return { call, turns: await database.store.calls.turnsOf(call.id) };
};
const balance = async () => (await billing.ledger.balance(accountId))!.balanceCents;

it('an agent calls: the callee answers, hears the greeting, talks, hangs up, and it is charged and on record', async () => {
  const placed = place();
  const invite = await callee.ringing();
  expect(headerOf(invite, 'From')).toContain('sip:+966112223344@');
  await callee.answer(CALLEE_HZ);
  callee.audio.quiet();
  expect(await placed).toBeUndefined();
  await callee.hears(GREETING_HZ);
  await until(() => callee.loudness(GREETING_HZ) < 0.01, 'the end of the greeting');
  callee.audio.speak(callee.audioPort, CALLEE_HZ);
  await new Promise((resolve) => setTimeout(resolve, 800)); // a word
  callee.audio.quiet();
  await callee.hears(REPLY_HZ);
  await callee.hangUp();
  await until(() => registry.size === 0);

  const { call, turns } = await record();
  expect(call).toMatchObject({ ...ORDER, sipCallId: headerOf(invite, 'Call-ID'), agentName: 'Test' });
  expect(call.direction).toBe('outbound');
  expect([call.endParty, call.endReason]).toEqual(['callee', 'callee-hangup']);
  expect(call.answeredAt!.getTime()).toBeGreaterThanOrEqual(call.startedAt.getTime());
  expect(turns.map(({ role, text }) => [role, text]).slice(0, 2)).toEqual([
    ['agent', GREETING],
    ['caller', 'yes'],
  ]);
  expect(call.costCents).toBeGreaterThanOrEqual(3);
  expect(await balance()).toBe(100 - call.costCents);
});

it('what comes before the answer is heard and recorded, and nobody talks to it', async () => {
  const placed = place();
  const invite = await callee.ringing();
  callee.sip.reply(invite, 183, 'Session Progress', [], callee.description);
  callee.audio.speak(Number(/m=audio (\d+)/.exec(invite.body)?.[1]), EARLY_HZ);
  await new Promise((resolve) => setTimeout(resolve, 1500));
  callee.audio.quiet();
  const { heard } = callee.audio;
  const early = callee.audio.samples(0).filter((sample) => Math.abs(sample) > 200).length;
  expect([heard.length, early]).toEqual([0, 0]);
  await callee.answer(CALLEE_HZ);
  callee.audio.quiet();
  expect(await placed).toBeUndefined();
  await callee.hears(GREETING_HZ);
  await until(() => callee.loudness(GREETING_HZ) < 0.01, 'the end of the greeting');
  await callee.hangUp();
  await until(() => registry.size === 0);
  const { call, turns } = await record();
  const recorded = readWav(readFileSync(join(database.dataFolder, call.recording!)));
  if (typeof recorded === 'string') throw new Error(recorded);
  expect(amplitudeAt(recorded.channels[0]!.subarray(4000, 8000), EARLY_HZ)).toBeGreaterThan(0.1);
  const said = recorded.channels[1]!;
  expect(amplitudeAt(said.subarray(0, 8000), GREETING_HZ)).toBeLessThan(0.01);

  // Sound counts from the beginning of the recording, words from the answer: 1.5 s later, which the record says.
  const begins = said.findIndex((sample) => Math.abs(sample) > 1000) / 8;
  expect(call.recordingAnswerMs).toBeGreaterThan(1_000);
  expect(Math.abs(begins - (turns[0]!.startedMs + call.recordingAnswerMs!))).toBeLessThan(500);
});

it.each<[string, () => Promise<void>, number, ReturnType<typeof callEnd>]>([
  ['is busy', async () => callee.refuse(486, 'Busy Here'), 20_000, callEnd('network', 'busy', '486 Busy Here')],
  ['declines', async () => callee.refuse(603, 'Decline'), 20_000, callEnd('network', 'not-allowed', '603 Decline')],
  [
    'does not answer',
    async () => {
      callee.sip.reply(await callee.sip.request('CANCEL'), 200, 'OK');
      callee.refuse(487, 'Request Terminated');
    },
    300,
    callEnd('network', 'no-answer', 'nobody answered in time'),
  ],
  [
    'is not waited for any more',
    async () => {
      const closed = registry.list()[0]!.close(callEnd('gateway', 'shutdown'));
      callee.sip.reply(await callee.sip.request('CANCEL'), 200, 'OK');
      callee.refuse(487, 'Request Terminated');
      await closed;
    },
    20_000,
    callEnd('gateway', 'shutdown'),
  ],
])('a callee who %s costs nothing, and the record says so', async (_name, act, ringTimeoutMs, end) => {
  const placed = place(ringTimeoutMs);
  await callee.ringing();
  await act();
  expect(await placed).toEqual(end);
  const { call, turns } = await record();
  expect(call).toMatchObject({ ...ORDER, answeredAt: null, talkMs: 0, costCents: 0, endDetail: end.detail ?? null });
  expect([call.endParty, call.endReason, turns]).toEqual([end.party, end.reason, []]);
  expect([await balance(), registry.size]).toEqual([100, 0]);
  await until(() => plane.load().calls + signalling.server.legs === 0, 'neither port nor leg');
});
