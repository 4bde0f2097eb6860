import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { Baresip } from '../support/baresip.ts';
import { recordOf, saidIn, texts } from '../support/call-record.ts';
import { hasCommand, spoken } from '../support/caller-voice.ts';
import { configFolder, GREETER } from '../support/config-folder.ts';
import { type Gateway, nidaa, prepared, startGateway } from '../support/gateway.ts';
import { withStore } from '../support/gateway-store.ts';
import { sharedDatabase } from '../support/shared-postgres.ts';
import { tone } from '../support/tones.ts';
import { until } from '../support/until.ts';

const ready = hasCommand('baresip') && hasCommand('espeak-ng') && hasCommand('flite');
if (!ready) console.warn('\n!!! NO CALL TO A REAL PHONE IS TESTED: baresip, espeak-ng or flite not installed !!!\n');

const RATE_HZ = 8000;
const quiet = (ms: number): Int16Array => new Int16Array(ms * 8);
const joined = (...parts: Int16Array[]): Int16Array => Int16Array.from(parts.flatMap((part) => [...part]));

interface Order {
  readonly id: string;
  readonly state: string;
  readonly answered_at: string | null;
  readonly sip_call_id: string;
  readonly end: { readonly party: string; readonly reason: string; readonly detail?: string } | null;
}

let gateway: Gateway;
let config: ReturnType<typeof configFolder>;
const phones: Baresip[] = [];

beforeAll(async () => {
  if (!ready) return;
  config = configFolder({ ...GREETER, 'nidaa.yaml': 'media: { recording: false }\n' });
  const env = { NIDAA_CONFIG: `${config.dir}/nidaa.yaml` };
  gateway = await startGateway({ env, databaseUrl: await sharedDatabase(inject('postgresDesk')) });
  await prepared(gateway);
});
afterAll(async () => {
  for (const phone of phones) phone.dispose();
  await gateway?.dispose();
  config?.remove();
});

const ask = async (...args: string[]): Promise<Order> => {
  const { code, stdout, stderr } = await nidaa(gateway, ...args, '--json');
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as Order;
};
/** Asked of the database: a command for each look would take a processor. */
async function ended(id: string): Promise<Order> {
  await withStore(gateway, ({ dialOrders }) =>
    until(async () => (await dialOrders.get(id))?.state === 'ended', 'the end of the call'),
  );
  return ask('call', 'status', id);
}

/** A phone that takes a call of the agent, with what is said into it from then on. */
async function called(microphone: Int16Array, ...more: string[]): Promise<{ phone: Baresip; order: Order }> {
  const phone = await Baresip.start({ user: 'person', microphone });
  phones.push(phone);
  const order = await ask('call', '--agent', 'Greeter', '--to', `sip:person@127.0.0.1:${phone.sipPort}`, ...more);
  expect(order.state).toBe('queued');
  expect(await phone.answer(30_000), phone.log).toBe(true);
  return { phone, order };
}

describe.skipIf(!ready)('an agent calls a real phone', { concurrent: true }, () => {
  it('and is heard, after whoever answered has spoken; a cancel from the command line ends the call', async () => {
    const hello = joined(quiet(400), spoken('Hello?'));
    const helloS = hello.length / RATE_HZ;
    const { phone, order } = await called(hello, '--on-machine', 'hangup');
    const sipCallId = await withStore(gateway, async ({ dialOrders }) => (await dialOrders.get(order.id))!.sipCallId!);
    await saidIn(gateway, sipCallId, 'Emma');
    await ask('call', 'cancel', order.id);
    expect(await phone.closed(20_000)).toBeDefined();
    const { end, answered_at, sip_call_id } = await ended(order.id);
    expect([end!.reason, answered_at]).toEqual(['cancelled', expect.any(String)]);
    const call = await recordOf(gateway, sip_call_id);
    expect([call.direction, call.answered_by]).toEqual(['outbound', 'human']);
    expect(texts(call, 'agent')[0]).toMatch(/^Hello, this is Emma/);
    const heard = (await phone.finish())!;
    expect(heard.voicedSeconds()).toBeGreaterThan(1.5);
    expect(heard.stretches()[0]!.fromS).toBeGreaterThan(helloS);
  });

  it('and a machine behind it is left the message after its beep', async () => {
    const greeting = spoken('You have reached Michael Brown. I am away, so please leave a message after the beep.');
    const machine = joined(quiet(400), greeting, quiet(500), tone(1000, 0.4 * RATE_HZ), quiet(20_000));
    const beepEndS = (400 + greeting.length / 8 + 900) / 1000;
    const message = 'This is your clinic. Please call us back.';
    const { phone, order } = await called(machine, '--on-machine', 'leave-message', '--message', message);
    expect(await phone.closed(25_000)).toBeDefined();
    const { end, sip_call_id } = await ended(order.id);
    expect(end).toEqual({ party: 'agent', reason: 'agent-hangup', detail: 'a message was left' });
    const call = await recordOf(gateway, sip_call_id);
    expect([call.answered_by, texts(call, 'agent'), texts(call, 'caller')]).toEqual(['machine', [message], []]);
    const [first] = (await phone.finish())!.stretches(1000);
    expect(first!.fromS).toBeGreaterThan(beepEndS - 0.1);
    expect(first!.fromS).toBeLessThan(beepEndS + 2);
    expect(first!.toS - first!.fromS).toBeGreaterThan(1.5);
  });
});
