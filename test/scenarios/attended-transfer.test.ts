import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { readWav } from '../../src/audio/wav.ts';
import { type CallRecord, latestCall } from '../support/call-record.ts';
import { hasCommand } from '../support/caller-voice.ts';
import { configFolder, GREETER } from '../support/config-folder.ts';
import { type Gateway, nidaa, startGateway } from '../support/gateway.ts';
import { withStore } from '../support/gateway-store.ts';
import { Linphone, type LinphoneLine } from '../support/linphone.ts';
import { EVERY_TEST } from '../support/property-runs.ts';
import { sharedDatabase } from '../support/shared-postgres.ts';
import { amplitudeAt, tone } from '../support/tones.ts';
import { until } from '../support/until.ts';

const ready = hasCommand('linphonec') && hasCommand('espeak-ng');
if (!ready)
  console.warn('\n!!! NO ATTENDED TRANSFER BY A REAL PHONE IS TESTED: linphonec or espeak-ng not installed !!!\n');

const LONG = 'Please listen, for our menu has changed since you called us last. '.repeat(12);
const [DESK_HZ, CALLER_HZ] = [440, 1000];

let gateway: Gateway;
let config: ReturnType<typeof configFolder> | undefined;
const phones: Linphone[] = [];

beforeAll(async () => {
  const reader = GREETER['agents/greeter.yaml'].replace(/en: ".*"/, `en: "${LONG}"`);
  const other = reader.replace('"1000"', '"1001"').replace('name: Greeter', 'name: Other');
  config = configFolder({ 'nidaa.yaml': '', 'agents/reader.yaml': reader, 'agents/other.yaml': other });
  const env = { NIDAA_CONFIG: join(config.dir, 'nidaa.yaml') };
  gateway = await startGateway({ env, databaseUrl: await sharedDatabase(inject('postgresDesk')) });
});
afterAll(async () => {
  for (const phone of phones) phone.dispose();
  await gateway?.dispose();
  config?.remove();
});

async function started(hz: number, line?: LinphoneLine): Promise<Linphone> {
  const phone = await Linphone.start(tone(hz, 8000 * 60), line);
  phones.push(phone);
  return phone;
}
/** With a name that a second try finds free. */
async function registered(name: string, hz: number): Promise<Linphone> {
  const { stdout } = await nidaa(gateway, 'phone', 'create', `${name}-${randomInt(1e6)}`, '--json');
  const { user, password } = JSON.parse(stdout) as Pick<LinphoneLine, 'user' | 'password'>;
  const phone = await started(hz, { user, password, isProxy: true, port: gateway.sipPort });
  expect(await phone.registration('Ok', 60_000), phone.output).toBe(true);
  return phone;
}
const numberOf = (number: string): string => `sip:${number}@127.0.0.1:${gateway.sipPort}`;
const hears = (phone: Linphone, more: number): Promise<unknown> => {
  const before = phone.hearing.voicedSeconds();
  return until(
    () => phone.hearing.voicedSeconds() > before + more,
    () => `the agent\n${phone.output}`,
    20_000,
  );
};
/** Messages of a call that has ended, of each of its dialogs, each way, with the status of answers. */
const laddersOf = (call: string, dialogs = 1): Promise<readonly (readonly string[])[]> =>
  withStore(gateway, ({ ladders }) =>
    until(async () => {
      const found = (await ladders.of(call)).map(({ steps }) =>
        steps.map(({ direction, line }) => `${direction} ${line.replace(/ sip:\S+| ?SIP\/2\.0 ?/g, '')}`),
      );
      const hasEnded = (lines: readonly string[]): boolean => lines.some((line) => line.endsWith('BYE'));
      return found.length === dialogs && found.every(hasEnded) && found;
    }, 'the messages of a call'),
  );
/** How loud the caller was in each quarter of a second of the recording. */
function levels({ recording }: CallRecord, hz: number): number[] {
  const wav = readWav(readFileSync(join(gateway.dataDir, recording!)));
  if (typeof wav === 'string') throw new Error(wav);
  const left = wav.channels[0]!;
  return Array.from({ length: Math.floor(left.length / 2000) }, (_, n) =>
    amplitudeAt(left.subarray(2000 * n, 2000 * (n + 1)), hz),
  );
}

describe.skipIf(!ready)('linphone that has two calls and brings them together', { concurrent: true }, () => {
  it('hands its call with the agent over to somebody else: one call, in which the agent goes on', async () => {
    const [desk, caller] = await Promise.all([started(DESK_HZ), registered('caller', CALLER_HZ)]);
    const answering = caller.answer(30_000);
    expect(await desk.call(`sip:caller@127.0.0.1:${caller.sipPort}`), desk.output).toBe(true);
    expect(await answering, caller.output).toBe(true);
    expect(await desk.pause(), desk.output).toBe(true);
    expect(await desk.call(numberOf('1000')), desk.output).toBe(true);
    await hears(desk, 1);
    desk.transfer(1, 2);
    expect(await desk.endedWithin(10_000), desk.output).toBe(true);
    await hears(caller, 1);
    caller.hangup();
    const call = await latestCall(gateway, 'lin');
    expect(call.end).toMatchObject({ party: 'caller', reason: 'caller-hangup' });
    const [first, next] = [levels(call, DESK_HZ), levels(call, CALLER_HZ)];
    const at = next.findIndex((level) => level > 0.1);
    expect(first.filter((level) => level > 0.1).length).toBeGreaterThanOrEqual(2);
    expect(next.filter((level) => level > 0.1).length).toBeGreaterThanOrEqual(2);
    const ladders = await laddersOf(call.id, 2); // of the phone that left, and of the one that came
    expect(ladders.map((steps) => steps.filter((step) => /INVITE|BYE/.test(step)))).toEqual([
      ['in INVITE', expect.stringMatching(/BYE$/)],
      ['in INVITE', 'in BYE'],
    ]);
    expect(first.slice(at + 1).every((level) => level < 0.02)).toBe(true);
  });

  it.runIf(EVERY_TEST)(
    'may not have two agents talk to each other: both calls go on, and end when it hangs up',
    async () => {
      const desk = await registered('front', DESK_HZ);
      expect(await desk.call(numberOf('1000')), desk.output).toBe(true);
      expect(await desk.pause(), desk.output).toBe(true);
      expect(await desk.call(numberOf('1001')), desk.output).toBe(true);
      desk.transfer(1, 2);
      const ids = await withStore(gateway, async ({ calls }) =>
        (await calls.list({ limit: 50 })).filter(({ from }) => from === 'front').map(({ sipCallId }) => sipCallId),
      );
      expect(ids.length).toBe(2);
      await hears(desk, 1);
      desk.hangup();
      expect(await latestCall(gateway, 'front')).toMatchObject({ to: '1001', end: { reason: 'caller-hangup' } });
      const ladders = (await Promise.all(ids.map((id) => laddersOf(id)))).flat();
      expect(ladders.flat()).toEqual(expect.arrayContaining(['in REFER', 'out 403 Forbidden']));
      for (const steps of ladders) expect(steps.filter((step) => /BYE/.test(step))).toEqual(['in BYE']);
    },
  );
});
