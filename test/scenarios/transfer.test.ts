import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { Baresip } from '../support/baresip.ts';
import { type CallRecord, recordOf, saidIn, texts } from '../support/call-record.ts';
import { hasCommand } from '../support/caller-voice.ts';
import { type Gateway, prepared, startGateway } from '../support/gateway.ts';
import { personsConfig } from '../support/persons-config.ts';
import { freeSipPort } from '../support/ports.ts';
import { EVERY_TEST } from '../support/property-runs.ts';
import { sharedDatabase } from '../support/shared-postgres.ts';
import { amplitudeAt, tone } from '../support/tones.ts';
import { headerOf } from '../support/udp-caller.ts';
import { until } from '../support/until.ts';
import { VoicePhone } from '../support/voice-phone.ts';

const ready = hasCommand('baresip') && hasCommand('espeak-ng');
if (!ready) console.warn('\n!!! NO TRANSFER BY A REAL PHONE IS TESTED: baresip or espeak-ng not installed !!!\n');

const [CALLER_HZ, PERSON_HZ] = [440, 1000];
const DTMF_PAYLOAD = 101;

/** A number, who calls it, and the person behind it. */
interface Trio {
  readonly caller: VoicePhone;
  readonly person: VoicePhone;
  readonly number: string;
}

let gateway: Gateway;
let config: ReturnType<typeof personsConfig> | undefined;
let personPort: number;
let toldPort: number; // of a person who is told first
const free: Trio[] = [];
const written: VoicePhone[] = [];
const phones: Baresip[] = [];

beforeAll(async () => {
  const sipPort = await freeSipPort();
  personPort = await freeSipPort();
  const targets: Record<string, string> = {
    1000: `sip:person@127.0.0.1:${personPort}`,
    1001: `sip:9999@127.0.0.1:${sipPort}`, // A number that nobody has.
  };
  toldPort = await freeSipPort();
  targets[1006] = `sip:told@127.0.0.1:${toldPort}`;
  for (const number of ['1002', '1003', '1004', '1005', '1007']) {
    const [caller, person] = [await VoicePhone.open(sipPort), await VoicePhone.open(sipPort)];
    written.push(caller, person);
    free.push({ caller, person, number });
    targets[number] = person.uri;
  }
  config = personsConfig(targets, { 1006: '{ mode: announced, accept: key }' });
  const env = { NIDAA_CONFIG: join(config.dir, 'nidaa.yaml'), NIDAA_SIP_PORT: String(sipPort) };
  gateway = await startGateway({ env, databaseUrl: await sharedDatabase(inject('postgresDesk')) });
  await prepared(gateway);
});
afterAll(async () => {
  for (const phone of phones) phone.dispose();
  for (const phone of written) phone.sip.answerByes();
  await gateway?.dispose();
  for (const phone of written) phone.close();
  config?.remove();
});

describe.skipIf(!ready)('a caller who asks for a person', { concurrent: true }, () => {
  const phone = async (options: Parameters<typeof Baresip.start>[0]): Promise<Baresip> => {
    const started = await Baresip.start(options);
    phones.push(started);
    return started;
  };

  it('is put through: the agent leaves, the two phones talk', async () => {
    const person = await phone({ user: 'person', sipPort: personPort });
    const caller = await phone({});
    expect(await caller.call(gateway.sip)).toBeTypeOf('number');
    await sleep(1500);
    await caller.press('0');
    expect(await person.answer(30_000), person.log).toBe(true);
    const call = await recordOf(gateway, caller.sipCallId);
    expect(call.end).toMatchObject({ party: 'agent', reason: 'transferred' });
    expect(texts(call, 'agent').at(-1)).toMatch(/^One moment/);
    expect(person.sawEvent('CALL_CLOSED')).toBe(false);
  });

  it.runIf(EVERY_TEST)('waits with music while the person is told, on phones with two codecs', async () => {
    const microphone = tone(PERSON_HZ, 8000 * 40);
    const person = await phone({ user: 'told', sipPort: toldPort, codecs: 'PCMA', microphone });
    const caller = await phone({ codecs: 'PCMU', microphone: tone(CALLER_HZ, 8000 * 40) });
    expect(await caller.call(`sip:1006@127.0.0.1:${gateway.sipPort}`)).toBeTypeOf('number');
    await sleep(1500);
    await caller.press('0');
    expect(await person.answer(30_000), person.log).toBe(true);
    await sleep(3000); // it is being told
    await person.press('1');
    await sleep(2000);
    person.hangup();
    expect(await caller.closed(20_000)).toBeTypeOf('string');
    const [heard, told] = [(await caller.finish())!.samples, (await person.finish())!.samples];
    expect([amplitudeAt(heard.slice(-8000), PERSON_HZ) > 0.1, amplitudeAt(told.slice(-8000), CALLER_HZ) > 0.1]).toEqual(
      [...[true, true]],
    );
    expect(amplitudeAt(told.slice(0, 16_000), CALLER_HZ)).toBeLessThan(0.02);
    const call = await recordOf(gateway, caller.sipCallId);
    expect(call.transfers).toMatchObject([{ by: 'bridge', outcome: 'joined' }]);
  });

  it.runIf(EVERY_TEST)('is kept by the agent when nobody is there', async () => {
    const caller = await phone({});
    expect(await caller.call(`sip:1001@127.0.0.1:${gateway.sipPort}`)).toBeTypeOf('number');
    await sleep(1500);
    await caller.press('0');
    const isRefused = (): boolean => /"ok":false,"status":404.*"msg":"transfer"/.test(gateway.log());
    await until(isRefused, () => `the transfer is refused\n${gateway.log()}`);
    await sleep(3000); // It says so.
    caller.hangup();
    await caller.closed(3000);
    const call = await recordOf(gateway, caller.sipCallId);
    expect(texts(call, 'agent').at(-1)).toContain('nobody could take the call');
    expect(call.end).toMatchObject({ reason: 'caller-hangup' });
  });
});

describe('a caller whose peer takes no REFER, and who asks for a person', { concurrent: true }, () => {
  /** Calls, and presses the key for a person. */
  async function ask(headers: readonly string[] = []): Promise<Trio> {
    const trio = free.pop()!;
    const { caller, number } = trio;
    await caller.call(`sip:${number}@127.0.0.1:${gateway.sipPort}`, CALLER_HZ, headers);
    caller.audio.quiet();
    await sleep(1500);
    await caller.press('0');
    return trio;
  }
  async function refuseRefer({ caller, person }: Trio): Promise<void> {
    const refer = await caller.asked('REFER');
    expect(headerOf(refer, 'Refer-To')).toBe(`<${person.uri}>`);
    caller.sip.reply(refer, 405, 'Method Not Allowed', ['Allow: INVITE, ACK, CANCEL, BYE, INFO']);
  }
  async function talking({ caller, person }: Trio): Promise<void> {
    await person.answer(PERSON_HZ);
    caller.audio.speak(caller.audioPort, CALLER_HZ);
    await person.hears(CALLER_HZ);
    await caller.hears(PERSON_HZ);
    expect([person.loudness(PERSON_HZ), caller.loudness(CALLER_HZ)].every((echo) => echo < 0.02)).toBe(true);
  }
  const record = ({ caller }: Trio): Promise<CallRecord> => recordOf(gateway, caller.sip.callId);
  const hasKeys = ({ audio }: VoicePhone): boolean =>
    audio.heard.some(({ payloadType }) => payloadType === DTMF_PAYLOAD);

  it('is put through by a second leg: both hear each other, keys go over, and the caller ends it', async () => {
    const trio = await ask();
    const { caller, person } = trio;
    await refuseRefer(trio);
    const invite = await person.ringing();
    expect(headerOf(invite, 'From')).toContain('sip:alice@');
    await talking(trio);
    await caller.press('5');
    await until(() => hasKeys(person), 'the key of the caller');
    expect(hasKeys(caller)).toBe(false);
    await caller.hangUp();
    expect(headerOf(await person.hungUp(), 'Reason')).toContain('The caller hung up');
    const call = await record(trio);
    expect(call.end).toEqual({ party: 'caller', reason: 'transferred', detail: 'the caller hung up' });
    expect(texts(call, 'agent').at(-1)).toMatch(/^One moment/);
    expect(call.dtmf).toBe('0');
  });

  it.runIf(EVERY_TEST)(
    'is put through without a REFER where the peer says that it takes none, and the person ends it',
    async () => {
      const trio = await ask(['Allow: INVITE, ACK, CANCEL, BYE, INFO, OPTIONS']);
      const { caller, person } = trio;
      await person.ringing();
      await talking(trio);
      await person.hangUp();
      expect(headerOf(await caller.hungUp(), 'Reason')).toContain('The other party hung up');
      expect(caller.sip.inbox.filter(({ method }) => method === 'REFER')).toEqual([]);
      const call = await record(trio);
      expect(call.end).toEqual({ party: 'callee', reason: 'transferred', detail: 'the callee hung up' });
    },
  );

  it.runIf(EVERY_TEST)('stays with the agent when the person is busy', async () => {
    const trio = await ask();
    const { caller, person } = trio;
    await refuseRefer(trio);
    await person.ringing();
    person.refuse(486, 'Busy Here');
    await sleep(6000); // what the agent says of it
    await caller.hangUp();
    const call = await record(trio);
    expect(texts(call, 'agent').at(-1)).toContain('the line is busy');
    expect(call.end).toMatchObject({ party: 'caller', reason: 'caller-hangup' });
  });

  it.runIf(EVERY_TEST)(
    'comes back by the star key while it rings: the person’s phone stops, and the agent goes on',
    async () => {
      const trio = await ask(['Allow: INVITE, ACK, CANCEL, BYE, INFO, OPTIONS']);
      const { caller, person } = trio;
      await person.ringing();
      await caller.press('*');
      person.sip.reply(await person.asked('CANCEL'), 200, 'OK');
      person.refuse(487, 'Request Terminated');
      await saidIn(gateway, caller.sip.callId, 'You are back with me.');
      await caller.hangUp();
      const call = await record(trio);
      expect(call.transfers).toMatchObject([{ target: person.uri, by: 'bridge', outcome: 'came-back' }]);
      expect(call).toMatchObject({ dtmf: '0*', end: { party: 'caller', reason: 'caller-hangup' } });
    },
  );

  it.runIf(EVERY_TEST)('hangs up while it rings: the person’s phone stops', async () => {
    const trio = await ask();
    const { caller, person } = trio;
    await refuseRefer(trio);
    await person.ringing();
    await caller.hangUp();
    person.sip.reply(await person.asked('CANCEL'), 200, 'OK');
    person.refuse(487, 'Request Terminated');
    const call = await record(trio);
    expect(call.end).toMatchObject({ party: 'caller', reason: 'caller-hangup' });
  });
});
