import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { balance, minutesCharged, recordOf } from '../support/call-record.ts';
import { configFolder } from '../support/config-folder.ts';
import { type Gateway, prepared, startGateway } from '../support/gateway.ts';
import { withStore } from '../support/gateway-store.ts';
import { mark } from '../support/marks.ts';
import { OddCaller, offerTo } from '../support/odd-caller.ts';
import { freeUdpRange, udpFree } from '../support/ports.ts';
import { sharedDatabase } from '../support/shared-postgres.ts';
import { headerOf, UdpCaller, type WireMessage } from '../support/udp-caller.ts';
import { until } from '../support/until.ts';
import { VoicePhone } from '../support/voice-phone.ts';

const CALL_HZ = 440;
let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ databaseUrl: await sharedDatabase(inject('postgresDesk')) });
  await prepared(gateway);
});
afterAll(() => gateway.dispose());

const uri = (to = gateway): string => `sip:1000@127.0.0.1:${to.sipPort}`;
async function caller(to = gateway, address = '127.0.0.1'): Promise<UdpCaller> {
  const made = await new UdpCaller(to.sipPort, address).open();
  made.target = uri(to);
  return made;
}
const isBye = ({ method, status }: WireMessage): boolean => method === 'BYE' && status === 0;
const copiesOf200 = ({ inbox }: UdpCaller): number =>
  inbox.filter(({ method, status }) => method === 'INVITE' && status === 200).length;

const rowsOf = (sipCallId: string): Promise<number> =>
  withStore(gateway, async ({ calls }) => {
    const all = await calls.list({ limit: 1000 });
    return all.filter((call) => call.sipCallId === sipCallId).length;
  });
const liveCalls = async (): Promise<number> =>
  Number(/^nidaa_calls_active\S* (\d+)/m.exec(await gateway.metrics())?.[1] ?? Number.NaN);
const finalOf = (phone: UdpCaller, cseq: number): Promise<WireMessage> =>
  phone.next((m) => m.status >= 200 && headerOf(m, 'CSeq') === `${cseq} INVITE`, `an answer to ${cseq}`);

describe('faults of callers', () => {
  it('F8: an INVITE that comes five times is one call; one that comes by two ways is answered 482', async () => {
    const odd = await OddCaller.open();
    const invite = odd.message({ method: 'INVITE', port: gateway.sipPort, body: offerTo('127.0.0.1', odd.port) });
    for (let copy = 0; copy < 5; copy += 1) odd.send(invite, gateway.sipPort);
    await until(() => (odd.statuses.get('200') ?? 0) > 0, 'an answer');
    const merged = Buffer.from(invite.toString('latin1').replace(/branch=\S+?;/, 'branch=z9hG4bKotherway;'), 'latin1');
    odd.send(merged, gateway.sipPort);
    await until(() => (odd.statuses.get('482') ?? 0) > 0, '482 to the merged request');
    mark('F8', 'merged', odd.statuses.get('482') ?? 0);
    const oks = odd.answers.filter((text) => text.startsWith('SIP/2.0 200'));
    mark('F8', 'tags', new Set(oks.map((text) => /^To:.*tag=(\S+)/im.exec(text)?.[1])).size);
    const text = invite.toString('latin1');
    const header = (name: string): string => new RegExp(`^${name}: (.*)\r$`, 'im').exec(text)![1]!;
    const dialog = { 'Call-ID': header('Call-ID'), From: header('From'), To: /^To: (.*)\r$/im.exec(oks[0]!)![1]! };
    for (const [cseq, method] of [
      [1, 'ACK'],
      [2, 'BYE'],
    ] as const) {
      const headers = { ...dialog, CSeq: `${cseq} ${method}` };
      odd.send(odd.message({ method, port: gateway.sipPort, headers }), gateway.sipPort);
      if (method === 'ACK') await sleep(500);
    }
    mark('F8', 'charges', await minutesCharged(gateway, dialog['Call-ID']));
    mark('F8', 'rows', await rowsOf(dialog['Call-ID']));
    odd.close();
  }, 60_000);

  it('F9: a 200 that nobody acknowledges is repeated, ended with BYE after 32 s, and costs nothing', async () => {
    // Somebody who has acknowledged a call before is there, and gets every copy (T10 has those who have not).
    const [proof, phone] = [await caller(gateway, '127.0.0.44'), await caller(gateway, '127.0.0.44')];
    await proof.call(offerTo('127.0.0.44', proof.port));
    proof.sendRequest('BYE');
    await proof.final('BYE');
    await recordOf(gateway, proof.callId);
    const before = await balance(gateway);
    phone.sendRequest('INVITE', { body: offerTo('127.0.0.44', phone.port) });
    await until(() => copiesOf200(phone) > 0, 'the 200');
    const startMs = performance.now();
    await until(() => phone.inbox.some(isBye), 'BYE', 45_000);
    mark('F9', 'byeS', (performance.now() - startMs) / 1000);
    mark('F9', 'copies', copiesOf200(phone));
    phone.answerByes();
    const call = await recordOf(gateway, phone.callId);
    mark('F9', 'cents', before - (await balance(gateway)));
    expect(call.end?.reason).toBe('ack-timeout');
    for (const each of [proof, phone]) each.close();
  }, 90_000);

  it('F10: a BYE whose answer was lost is answered again, a late one 481, and the call is charged once', async () => {
    const phone = await caller();
    await phone.call(offerTo('127.0.0.1', phone.port));
    await sleep(1_000);
    const branch = phone.sendRequest('BYE', { cseq: 50 });
    await phone.response('BYE', 200);
    phone.sendRequest('BYE', { cseq: 50, branch });
    mark('F10', 'again', (await phone.final('BYE')).status);
    phone.sendRequest('BYE', { cseq: 51 });
    mark('F10', 'late', (await phone.final('BYE')).status);
    mark('F10', 'charges', await minutesCharged(gateway, phone.callId));
    phone.close();
  }, 60_000);

  it('F10: BYEs that cross are both answered', async () => {
    const config = configFolder({ 'nidaa.yaml': 'media: { rtpTimeoutMs: 1000 }\n' });
    const hasty = await startGateway({
      databaseUrl: await sharedDatabase(inject('postgresDesk')),
      env: { NIDAA_CONFIG: `${config.dir}/nidaa.yaml` },
    });
    try {
      await prepared(hasty);
      const crossings = Array.from({ length: 20 }, async (_, n) => {
        const phone = await caller(hasty);
        await phone.call(offerTo('127.0.0.1', phone.port));
        // Half of them hang up when ours is on its way to them, and leave it unanswered; half when it is about to leave.
        if (n < 10) await until(() => phone.inbox.some(isBye), 'BYE');
        else await sleep(950 + 10 * (n - 10));
        phone.sendRequest('BYE');
        const { status } = await phone.final('BYE');
        phone.answerByes();
        await recordOf(hasty, phone.callId);
        phone.close();
        return status;
      });
      const statuses = await Promise.all(crossings);
      mark('F10', 'crossing', statuses.filter((status) => status !== 200 && status !== 481).length);
    } finally {
      await hasty.dispose();
      config.remove();
    }
  }, 240_000);

  it('F11: a caller who vanishes is hung up on after half a minute, one on hold is not', async () => {
    const gone = await VoicePhone.open(gateway.sipPort);
    await gone.call(uri(), CALL_HZ);
    await sleep(1_000);
    gone.audio.quiet();
    const startMs = performance.now();
    const held = await caller();
    await held.call(offerTo('127.0.0.1', held.port));
    held.sendRequest('INVITE', { body: `${offerTo('127.0.0.1', held.port)}a=sendonly\r\n` });
    expect((await held.final('INVITE')).status).toBe(200);
    held.sendRequest('ACK');
    await until(() => gone.sip.inbox.some(isBye), 'BYE', 50_000);
    mark('F11', 'byeS', (performance.now() - startMs) / 1000);
    gone.sip.answerByes();
    const isFree = await until(() => udpFree(gone.audioPort), 'the port is free', 15_000).catch(() => false);
    mark('F11', 'ports', isFree ? 0 : 1);
    await sleep(3_000);
    mark('F11', 'held', held.inbox.filter(isBye).length);
    held.sendRequest('BYE');
    await held.final('BYE');
    gone.close();
    held.close();
  }, 90_000);

  it('F12: CANCEL against 200, and two who change the call at once, leave nothing behind', async () => {
    let odd = 0;
    for (let race = 0; race < 20; race += 1) {
      const phone = await caller();
      phone.answerByes();
      phone.sendRequest('INVITE', { body: offerTo('127.0.0.1', phone.port) });
      await sleep(race * 3);
      phone.toHeader = '';
      phone.sendRequest('CANCEL');
      const answer = await phone.final('INVITE');
      if (answer.status === 200) {
        phone.adopt(answer); // It was faster: it is the caller who hangs up then.
        phone.sendRequest('ACK');
        phone.sendRequest('BYE');
        await phone.final('BYE');
      } else if (answer.status !== 487) {
        odd += 1;
      }
      phone.close();
    }
    mark('F12', 'odd', odd);
    await until(async () => (await liveCalls()) === 0, 'the end of every call', 40_000).catch(() => {});
    mark('F12', 'orphans', await liveCalls());
    const glare = await caller();
    await glare.call(offerTo('127.0.0.1', glare.port));
    const changes = [20, 21];
    for (const cseq of changes) glare.sendRequest('INVITE', { body: offerTo('127.0.0.1', glare.port), cseq });
    const answers = await Promise.all(changes.map((cseq) => finalOf(glare, cseq)));
    mark('F12', 'glare', answers.filter(({ status }) => status === 200).length);
    const isRefusal = (m: WireMessage): boolean =>
      m.status === 491 || (m.status === 500 && headerOf(m, 'Retry-After') !== '');
    mark('F12', 'refused', answers.filter((answer) => answer.status !== 200 && !isRefusal(answer)).length);
    glare.sendRequest('ACK', { cseq: 20 });
    glare.sendRequest('INVITE', { body: offerTo('127.0.0.1', glare.port), cseq: 22 });
    mark('F12', 'again', (await finalOf(glare, 22)).status);
    glare.sendRequest('ACK', { cseq: 22 });
    glare.sendRequest('BYE', { cseq: 30 });
    await glare.final('BYE');
    glare.close();
  }, 90_000);
});

/** A gateway with media ports for so many calls. */
async function gatewayWith(calls: number): Promise<Gateway> {
  const first = await freeUdpRange(2 * calls);
  const made = await startGateway({
    databaseUrl: await sharedDatabase(inject('postgresDesk')),
    env: { NIDAA_RTP_PORTS: `${first}-${first + 2 * calls - 1}` },
  });
  await prepared(made);
  return made;
}

describe('a gateway that runs out of RTP ports', () => {
  const hangUp = async (phone: UdpCaller): Promise<void> => {
    phone.sendRequest('BYE');
    await phone.final('BYE');
    phone.close();
  };
  /** So many callers at once. @returns who was answered, and how many were told 503. */
  async function callers(of: Gateway, count: number): Promise<{ up: UdpCaller[]; refused: number }> {
    const attempt = async (): Promise<UdpCaller | number> => {
      const phone = await caller(of);
      phone.sendRequest('INVITE', { body: offerTo('127.0.0.1', phone.port) });
      const answer = await phone.final('INVITE');
      if (answer.status === 200) {
        phone.adopt(answer);
        phone.sendRequest('ACK');
        return phone;
      }
      phone.close();
      return answer.status;
    };
    const made = await Promise.all(Array.from({ length: count }, attempt));
    return {
      up: made.filter((one) => typeof one !== 'number'),
      refused: made.filter((one) => one === 503).length,
    };
  }

  it('F16: with ports for ten calls there are ten, and the others get 503', async () => {
    const small = await gatewayWith(10);
    try {
      const { up, refused } = await callers(small, 30);
      mark('F16', 'up', up.length);
      mark('F16', 'refused', refused);
      await Promise.all(up.map(hangUp));
    } finally {
      await small.dispose();
    }
  }, 240_000);

  it('F16: a thousand calls later no port is lost', async () => {
    const ROOM = 40;
    const busy = await gatewayWith(ROOM);
    try {
      let done = 0;
      for (let round = 0; done < 1_000 && round < 400; round += 1) {
        const { up } = await callers(busy, 20);
        done += up.length;
        await Promise.all(up.map(hangUp));
        if (up.length < 20) await sleep(500); // freed ports rest before they serve again
      }
      mark('F16', 'calls', done);
      let most = 0;
      const isWhole = async (): Promise<boolean> => {
        const { up } = await callers(busy, ROOM);
        most = Math.max(most, up.length);
        await Promise.all(up.map(hangUp));
        return up.length === ROOM;
      };
      for (let tries = 0; tries < 6; tries += 1) {
        await sleep(5_000);
        if (await isWhole()) break;
      }
      mark('F16', 'leaked', ROOM - most);
    } finally {
      await busy.dispose();
    }
  }, 600_000);
});
