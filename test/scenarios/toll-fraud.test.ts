import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { Baresip } from '../support/baresip.ts';
import { hasCommand } from '../support/caller-voice.ts';
import { configFolder, GREETER } from '../support/config-folder.ts';
import { type Gateway, nidaa, startGateway } from '../support/gateway.ts';
import { withStore } from '../support/gateway-store.ts';
import { mark } from '../support/marks.ts';
import { sharedDatabase } from '../support/shared-postgres.ts';
import { offer } from '../support/signalling-rig.ts';
import { trunkDefinition } from '../support/trunks.ts';
import { headerOf, UdpCaller, type WireMessage } from '../support/udp-caller.ts';
import { until } from '../support/until.ts';

const [CARRIER, BRANCH, STRANGER] = ['127.0.0.2', '127.0.0.3', '127.0.0.66'];
const hasPhone = hasCommand('baresip');
if (!hasPhone) console.warn('\n!!! NO CALL OF A REGISTERED PHONE IS TESTED: baresip not installed !!!\n');

/** A mobile that the trunk may call, a premium number, both in every spelling, and an agent. */
const NUMBERS = [
  '+966512345678',
  '00966512345678',
  '0512345678',
  '+979123456789',
  '00979123456789',
  '900123456',
  '1000',
];

let gateway: Gateway;
let config: ReturnType<typeof configFolder> | undefined;
let carrier: UdpCaller; // where calls by the trunk would come out
let trunkCallId: string;
const callers: UdpCaller[] = [];
const paidCalls = (): WireMessage[] =>
  carrier.inbox.filter(({ status, method }) => status === 0 && method === 'INVITE');

async function from(address?: string): Promise<UdpCaller> {
  const caller = await new UdpCaller(gateway.sipPort, address).open();
  caller.answerByes();
  callers.push(caller);
  return caller;
}

/** What the gateway has on record of a call. */
const call = async (sipCallId: string): Promise<unknown> =>
  JSON.parse((await nidaa(gateway, 'calls', 'show', sipCallId, '--json')).stdout);

/** INVITE to the end of it. @returns the final status. */
async function invite(number: string, address?: string, headers: readonly string[] = []): Promise<number> {
  const caller = await from(address);
  const uri = `sip:${encodeURIComponent(number)}@127.0.0.1:${gateway.sipPort}`;
  caller.sendRequest('INVITE', { uri, body: offer, headers: ['Content-Type: application/sdp', ...headers] });
  const final = await caller.final('INVITE');
  if (final.status < 300) caller.adopt(final);
  else caller.toHeader = headerOf(final, 'To');
  caller.sendRequest('ACK');
  if (final.status < 300) caller.sendRequest('BYE');
  return final.status;
}

beforeAll(async () => {
  config = configFolder({ ...GREETER, 'nidaa.yaml': 'outbound: { callingHours: { from: "00:00", to: "24:00" } }\n' });
  const env = { NIDAA_CONFIG: `${config.dir}/nidaa.yaml`, NIDAA_SIP_ANONYMOUS: 'false' }; // as where the network reaches it
  gateway = await startGateway({ env, databaseUrl: await sharedDatabase(inject('postgresDesk')) });
  carrier = await new UdpCaller(gateway.sipPort).open();
  const hosts = [{ uri: `sip:127.0.0.1:${carrier.port}`, priority: 10, weight: 1 }];
  await withStore(gateway, async (store) => {
    const { id } = await store.accounts.create('Other');
    const carried = { hosts, pingSeconds: 0, inbound: { sources: [CARRIER], auth: 'none' } } as const; // it answers no OPTIONS
    await store.trunks.put(undefined, trunkDefinition(carried));
    const own = { name: 'branch', hosts, pingSeconds: 0, inbound: { sources: [BRANCH], auth: 'none' } } as const;
    await store.trunks.put(id, trunkDefinition(own));
  });
  await until(async () => (await invite('nobody', CARRIER)) === 404, 'the trunk is known', 10_000);
});
afterAll(async () => {
  for (const caller of [...callers, carrier]) caller?.close();
  await gateway?.dispose();
  config?.remove();
});

it('T4: a stranger is refused whatever is dialled and claimed, and calls nobody', async () => {
  const claims = [
    `P-Asserted-Identity: <sip:+966112223344@${CARRIER}>`,
    `Diversion: <sip:+966112223344@${CARRIER}>;reason=unconditional`,
    `Route: <sip:127.0.0.1:${carrier.port};lr>`,
    `P-Preferred-Identity: <tel:+966112223344>`,
  ];
  for (const number of NUMBERS) expect([number, await invite(number, STRANGER, claims)]).toEqual([number, 403]);
  mark('T4', 'paid', paidCalls().length, 'stranger');
});

it('T4: a trunk reaches agents and nothing else, and that of an account its own agents alone', async () => {
  for (const number of NUMBERS.slice(0, -1)) expect([number, await invite(number, CARRIER)]).toEqual([number, 404]);
  expect(await invite('1000', CARRIER)).toBe(200);
  expect(await invite('1000', BRANCH)).toBe(404);
  mark('T4', 'paid', paidCalls().length, 'trunk');
});

it('T4: REFER from outside makes no call, inside a dialog or out of one, and the call goes on', async () => {
  const caller = await from(CARRIER);
  caller.target = `sip:1000@127.0.0.1:${gateway.sipPort}`;
  await caller.call(offer);
  trunkCallId = caller.callId;
  for (const target of ['tel:+966512345678', `sip:+966512345678@127.0.0.1:${carrier.port}`]) {
    caller.sendRequest('REFER', { headers: [`Refer-To: <${target}>`, 'Event: refer'] });
    expect((await caller.final('REFER')).status).toBeGreaterThanOrEqual(400);
  }
  caller.sendRequest('OPTIONS');
  expect((await caller.final('OPTIONS')).status).toBe(200);
  caller.sendRequest('BYE');
  const stranger = await from(STRANGER);
  stranger.sendRequest('REFER', { headers: ['Refer-To: <tel:+966512345678>'] });
  expect((await stranger.final('REFER')).status).toBeGreaterThanOrEqual(400);
  mark('T4', 'paid', paidCalls().length, 'REFER');
});

it.skipIf(!hasPhone)('T4: a real phone registers, and reaches the agents of its account and nothing else', async () => {
  const { user, password } = await withStore(gateway, async ({ accounts, phones }) => {
    const account = (await accounts.list()).find(({ name }) => name === 'Demo')!;
    const name = `reception-${Date.now()}`; // again in a second try
    const made = await phones.create(account.id, { name, username: name, realm: 'nidaa' });
    if (made === 'taken') throw new Error(made);
    return { user: name, password: made.password };
  });
  const registrar = { port: gateway.sipPort, password };
  const phones: Baresip[] = [];
  /** The first try of one that knows MD5 alone fails at the offer of SHA-256; from then on it is offered MD5. */
  const registered = async (tries = 2): Promise<Baresip> => {
    const phone = await Baresip.start({ user, registrar });
    phones.push(phone);
    // Its events may come before anybody listens; its log has them all.
    const outcome = await until(() => /\[\d+ binding|Register: /.exec(phone.log)?.[0], 'the phone registers');
    if (outcome.includes('binding')) return phone;
    if (tries > 1) return registered(tries - 1);
    throw new Error(phone.log);
  };
  try {
    const [thief, honest] = [await registered(), await registered()];
    expect(await thief.call(`sip:+979123456789@127.0.0.1:${gateway.sipPort}`)).toBe('404 Not Found');
    expect(await honest.call(gateway.sip)).toBeTypeOf('number');
    honest.hangup();
    expect(await call(honest.sipCallId)).toMatchObject({ source: { kind: 'phone', name: user } });
  } finally {
    for (const phone of phones) phone.dispose();
  }
  mark('T4', 'paid', paidCalls().length, 'phone');
});

it('T4: a call of ours goes where it may, and neither to a premium number nor after a 302', async () => {
  const order = (to: string) =>
    nidaa(gateway, 'call', '--agent', 'Greeter', '--account', 'Demo', '--to', to, '--from', '1000', '--wait');
  for (const number of ['+979123456789', '00979123456789', '+12125551234']) {
    const { code, stdout, stderr } = await order(number);
    expect([number, code, stdout + stderr]).toEqual([number, 1, expect.stringContaining('not-allowed')]);
  }
  mark('T4', 'paid', paidCalls().length, 'forbidden numbers');
  const placed = order('+966512345678');
  const call = await carrier.request('INVITE');
  expect(call.start).toContain(`sip:+966512345678@127.0.0.1:${carrier.port}`);
  carrier.reply(call, 302, 'Moved', [`Contact: <sip:+979123456789@127.0.0.1:${carrier.port}>`]);
  expect((await placed).stdout).toContain('302');
  mark('T4', 'paid', paidCalls().length, '302');
});

it('T4: what was refused is kept, with what would let it in, and a call names its source', async () => {
  const refused = await until(async () => {
    const rows = JSON.parse((await nidaa(gateway, 'calls', 'refused', '--limit', '100', '--json')).stdout);
    return rows.some(({ trunk }: { trunk: string }) => trunk === 'branch') && rows;
  }, 'refused calls are written');
  const strangers = refused.filter(({ reason }: { reason: string }) => reason === 'not-allowed');
  expect(strangers.map(({ to }: { to: string }) => to)).toEqual(expect.arrayContaining(NUMBERS));
  expect(strangers[0]).toMatchObject({
    trunk: null,
    remedy: expect.stringContaining('Name 127.0.0.66 in the sources'),
  });
  expect(refused.find(({ trunk }: { trunk: string }) => trunk === 'branch')).toMatchObject({
    to: '1000',
    reason: 'no-such-number',
  });
  expect(await call(trunkCallId)).toMatchObject({ source: { kind: 'trunk', name: 'carrier' } });
});
