import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { readWav } from '../../src/audio/wav.ts';
import { type CallRecord, recordOf, texts } from '../support/call-record.ts';
import { hasCommand } from '../support/caller-voice.ts';
import { type Gateway, prepared, startGateway } from '../support/gateway.ts';
import { personsConfig } from '../support/persons-config.ts';
import { freeSipPort } from '../support/ports.ts';
import { EVERY_TEST } from '../support/property-runs.ts';
import { sharedDatabase } from '../support/shared-postgres.ts';
import { amplitudeAt } from '../support/tones.ts';
import { headerOf } from '../support/udp-caller.ts';
import { until } from '../support/until.ts';
import { VoicePhone } from '../support/voice-phone.ts';

const ready = hasCommand('espeak-ng');
if (!ready) console.warn('\n!!! NO ANNOUNCED TRANSFER IS TESTED: espeak-ng is not installed !!!\n');

const [CALLER_HZ, PERSON_HZ] = [440, 1000];
const QUIET = 0.02; // of full scale: the noise of the line is below it, speech is not

let gateway: Gateway;
let config: ReturnType<typeof personsConfig> | undefined;
const phones: VoicePhone[] = [];
const open = async (sipPort: number): Promise<VoicePhone> => {
  const phone = await VoicePhone.open(sipPort);
  phones.push(phone);
  return phone;
};
let caller: VoicePhone;
let other: VoicePhone; // another caller
let person: VoicePhone;
let busy: VoicePhone;
let attendant: VoicePhone;

beforeAll(async () => {
  const sipPort = await freeSipPort();
  [caller, other, person, busy, attendant] = (await Promise.all([1, 2, 3, 4, 5].map(() => open(sipPort)))) as [
    ...[VoicePhone, VoicePhone, VoicePhone, VoicePhone, VoicePhone],
  ];
  config = personsConfig(
    { 1000: person.uri, 1001: busy.uri },
    {
      1000: `{ mode: announced, targets: ["${person.uri}"], accept: key, music: none, afterPerson: return }`,
      1001: `{ mode: attended, targets: ["${busy.uri}", "${attendant.uri}"] }`,
    },
  );
  const env = { NIDAA_CONFIG: join(config.dir, 'nidaa.yaml'), NIDAA_SIP_PORT: String(sipPort) };
  gateway = await startGateway({ env, databaseUrl: await sharedDatabase(inject('postgresDesk')) });
  await prepared(gateway);
});
afterAll(async () => {
  for (const phone of phones) phone.sip.answerByes();
  await gateway?.dispose();
  for (const phone of phones) phone.close();
  config?.remove();
});

/** Calls, and presses the key for a person. */
async function ask(phone: VoicePhone, number: string, headers: readonly string[] = []): Promise<void> {
  await phone.call(`sip:${number}@127.0.0.1:${gateway.sipPort}`, CALLER_HZ, headers);
  phone.audio.quiet();
  await sleep(1500);
  await phone.press('0');
}

describe.skipIf(!ready)('a person who is told of a call first', { concurrent: true }, () => {
  it.runIf(EVERY_TEST)(
    'hears the agent alone, presses 1, and talks: heard by all three, and in the recording',
    async () => {
      await ask(caller, '1000');
      await person.ringing();
      await sleep(4000); // what the agent said to the caller before has been played
      caller.audio.speak(caller.audioPort, CALLER_HZ);
      await person.answer(PERSON_HZ);
      await until(() => person.peak > 0.05, 'the whisper');
      const toldAt = [caller.audio.heard.length, person.audio.heard.length] as const;
      await sleep(3000);
      const told = person.audio.samples(toldAt[1]);
      const meanwhile = caller.audio.samples(toldAt[0]);
      expect(peakOf(told)).toBeGreaterThan(0.05);
      expect(amplitudeAt(told, CALLER_HZ)).toBeLessThan(QUIET);
      expect(peakOf(meanwhile)).toBeLessThan(QUIET);
      person.key(1);
      await Promise.all([person.hears(CALLER_HZ), caller.hears(PERSON_HZ)]);
      await sleep(1200);
      expect([person.loudness(PERSON_HZ), caller.loudness(CALLER_HZ)].every((echo) => echo < QUIET)).toBe(true);
      caller.audio.quiet();
      await person.hangUp();
      await until(() => caller.peak > 0.05, 'the agent again');
      await sleep(3500);
      await caller.hangUp();
      const call = await recordOf(gateway, caller.sip.callId);
      expect(call.end).toMatchObject({ party: 'caller', reason: 'caller-hangup' });
      expect(call.transfers).toMatchObject([{ target: person.uri, by: 'bridge', outcome: 'joined' }]);
      const whispered = call.turns.filter(({ heard_by: by }) => by === 'person').map(({ text }) => text);
      expect(whispered).toEqual([expect.stringMatching(/^A caller for you/)]);
      expect(texts(call, 'agent').at(-1)).toMatch(/^You are back with me/);
      checkRecording(call);
    },
  );

  it.runIf(EVERY_TEST)(
    'is the second one where the first is busy, and both are left to each other by REFER with Replaces',
    async () => {
      await ask(other, '1001', ['Supported: replaces']);
      await busy.ringing();
      await until(() => other.peak > 0.005 && other.peak < 0.2, 'music');
      busy.refuse(486, 'Busy Here');
      const invite = await attendant.ringing();
      await sleep(5000); // the caller is told
      await attendant.answer(PERSON_HZ, ['Supported: replaces']);
      await until(() => attendant.peak > 0.05, 'the whisper');
      const refer = await other.asked('REFER');
      const referTo = headerOf(refer, 'Refer-To');
      const callId = headerOf(invite, 'Call-ID');
      const fromTag = /tag=([^;]+)/.exec(headerOf(invite, 'From'))?.[1];
      expect(decodeURIComponent(referTo)).toBe(
        `<sip:bob@127.0.0.1:${attendant.sip.port}?Replaces=${callId};to-tag=${attendant.sip.tag};from-tag=${fromTag}>`,
      );
      expect(headerOf(refer, 'Referred-By')).toContain(`127.0.0.1:${gateway.sipPort}`);
      other.sip.reply(refer, 202, 'Accepted');
      await attendant.hangUp(); // its phone took the other call
      other.sip.sendRequest('NOTIFY', {
        headers: ['Event: refer', 'Subscription-State: terminated;reason=noresource', 'Content-Type: message/sipfrag'],
        body: 'SIP/2.0 200 OK\r\n',
      });
      await other.hungUp();
      const call = await recordOf(gateway, other.sip.callId);
      expect(call.end).toMatchObject({ party: 'agent', reason: 'transferred' });
      expect(call.transfers).toMatchObject([
        { target: busy.uri, by: 'bridge', outcome: 'busy' },
        { target: attendant.uri, by: 'replaces', outcome: 'transferred' },
      ]);
      expect(texts(call, 'agent').join(' ')).toContain('the line is busy right now. I am trying somebody else');
    },
  );
});

describe.skipIf(!ready)('a phone that takes the place of another in a call', () => {
  it('goes on with the agent where the first one stopped, which is hung up', async () => {
    const [first, next] = [await open(gateway.sipPort), await open(gateway.sipPort)];
    await first.call(`sip:1000@127.0.0.1:${gateway.sipPort}`, CALLER_HZ);
    first.audio.quiet();
    await until(() => first.peak > 0.05, 'the greeting');
    const ourTag = /tag=([^;]+)/.exec(first.sip.toHeader)?.[1];
    const replaces = `${first.sip.callId};to-tag=${ourTag};from-tag=${first.sip.tag}`;
    const strange = `${first.sip.callId};to-tag=${ourTag};from-tag=other`;
    const stranger = await open(gateway.sipPort);
    await expect(
      stranger.call(`sip:1000@127.0.0.1:${gateway.sipPort}`, CALLER_HZ, [`Replaces: ${strange}`]),
    ).rejects.toThrow('481');
    await next.call(`sip:1000@127.0.0.1:${gateway.sipPort}`, CALLER_HZ, [`Replaces: ${replaces}`, 'Require: replaces']);
    next.audio.quiet();
    await first.hungUp();
    await until(() => next.peak > 0.05, 'the rest of the greeting');
    await sleep(3000);
    await next.hangUp();
    const call = await recordOf(gateway, first.sip.callId);
    expect(call.end).toMatchObject({ party: 'caller', reason: 'caller-hangup' });
    expect(texts(call, 'agent')[0]).toMatch(/^Hello, this is Emma/);
  });
});

/** Left the caller; right the agent, silence while the person is told, and then the person. */
function checkRecording(call: CallRecord): void {
  const wav = readWav(readFileSync(join(gateway.dataDir, call.recording!)));
  if (typeof wav === 'string') throw new Error(wav);
  const [left, right] = wav.channels as [Int16Array, Int16Array];
  const quarters = Array.from({ length: Math.floor(left.length / 2000) }, (_, n) => ({
    caller: amplitudeAt(left.subarray(2000 * n, 2000 * (n + 1)), CALLER_HZ),
    leftPerson: amplitudeAt(left.subarray(2000 * n, 2000 * (n + 1)), PERSON_HZ),
    person: amplitudeAt(right.subarray(2000 * n, 2000 * (n + 1)), PERSON_HZ),
    rightPeak: peakOf(right.subarray(2000 * n, 2000 * (n + 1))),
  }));
  const spoken = quarters.filter(({ caller: level }) => level > 0.1);
  const together = spoken.filter(({ person: level }) => level > 0.1);
  const waiting = spoken.slice(0, spoken.indexOf(together[0]!));
  expect(together.length).toBeGreaterThanOrEqual(3);
  expect(waiting.length).toBeGreaterThanOrEqual(8);
  expect(waiting.slice(0, -1).every(({ rightPeak }) => rightPeak < QUIET)).toBe(true);
  expect(quarters.every(({ leftPerson }) => leftPerson < QUIET)).toBe(true);
}

const peakOf = (samples: Int16Array): number =>
  samples.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0) / 32_768;
