import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { WebSocket } from 'ws';
import { PORT_DRAIN_MS } from '../../src/media/plane/port-pool.ts';
import { balance, recordOf } from '../support/call-record.ts';
import { type Gateway, prepared, startGateway } from '../support/gateway.ts';
import { withStore } from '../support/gateway-store.ts';
import { mark } from '../support/marks.ts';
import { OddCaller, offerTo } from '../support/odd-caller.ts';
import { freeUdpRange } from '../support/ports.ts';
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
async function caller(to = gateway): Promise<UdpCaller> {
  const made = await new UdpCaller(to.sipPort).open();
  made.target = uri(to);
  return made;
}
const isBye = ({ method, status }: WireMessage): boolean => method === 'BYE' && status === 0;
const copiesOf200 = ({ inbox }: UdpCaller): number =>
  inbox.filter(({ method, status }) => method === 'INVITE' && status === 200).length;
const callsOf = (sipCallId: string): Promise<number> =>
  withStore(gateway, async ({ calls }) => {
    const all = await calls.list({ limit: 1000 });
    return all.filter((call) => call.sipCallId === sipCallId).length;
  });

describe('faults of callers', () => {
  it('F8: an INVITE that comes five times is one call; one that comes by two ways is answered 482', async () => {
    const odd = await OddCaller.open();
    const invite = odd.message({ method: 'INVITE', port: gateway.sipPort, body: offerTo('127.0.0.1', odd.port) });
    for (let copy = 0; copy < 5; copy += 1) odd.send(invite, gateway.sipPort);
    await until(() => (odd.statuses.get('200') ?? 0) > 0, 'an answer');
    const merged = Buffer.from(invite.toString('latin1').replace(/branch=\S+?;/, 'branch=z9hG4bKotherway;'), 'latin1');
    odd.send(merged, gateway.sipPort);
    await until(() => (odd.statuses.get('482') ?? 0) > 0, '482 to the merged request');
    const tags = new Set(
      odd.answers.filter((text) => text.startsWith('SIP/2.0 200')).map((text) => /^To:.*tag=(\S+)/im.exec(text)?.[1]),
    );
    mark('F8', 'dialogs made of five copies', tags.size, 'at most', 1);
    mark('F8', 'merged requests answered 482', odd.statuses.get('482') ?? 0, 'at least', 1);
    const callId = /^Call-ID: (\S+)/im.exec(invite.toString('latin1'))![1]!;
    mark('F8', 'records of it', await callsOf(callId), 'at most', 1);
    odd.close();
  }, 60_000);

  it('F9: a 200 that nobody acknowledges is repeated, ended with BYE after 32 s, and costs nothing', async () => {
    const before = await balance(gateway);
    const phone = await caller();
    phone.sendRequest('INVITE', { body: offerTo('127.0.0.1', phone.port) });
    await phone.response('INVITE', 200);
    const startMs = performance.now();
    await until(() => phone.inbox.some(isBye), 'BYE', 45_000);
    mark('F9', 'seconds to the BYE', (performance.now() - startMs) / 1000, 'at least', 30);
    mark('F9', 'seconds to the BYE', (performance.now() - startMs) / 1000, 'at most', 34);
    // As many as somebody may get who has not proved that it is there (T10); who has gets eleven.
    mark('F9', 'further copies of the 200', copiesOf200(phone), 'at least', 5);
    phone.answerByes();
    const call = await recordOf(gateway, phone.callId);
    mark('F9', 'cents for a call that was never up', before - (await balance(gateway)), 'at most', 0);
    expect(call.end?.reason).toBe('ack-timeout');
    phone.close();
  }, 90_000);

  it('F10: a BYE whose answer was lost is answered again, a late one 481, and the call is charged once', async () => {
    const phone = await caller();
    await phone.call(offerTo('127.0.0.1', phone.port));
    await sleep(1_000);
    phone.sendRequest('BYE', { cseq: 50 });
    const first = await phone.final('BYE').catch(() => undefined);
    phone.sendRequest('BYE', { cseq: 51 });
    const late = await phone.next(({ method, status }) => method === 'BYE' && status >= 200, 'the late answer');
    expect(first?.status).toBe(200);
    mark('F10', 'answer to a BYE after the end', late.status, 'at least', 481);
    const call = await recordOf(gateway, phone.callId);
    const { rows } = await withStore(gateway, ({ pool }) =>
      pool.query<{ n: number }>(`SELECT count(*)::int AS n FROM charges WHERE owner = $1 AND kind = 'call-minute'`, [
        call.id,
      ]),
    );
    mark('F10', 'charges of its first minute', rows[0]?.n ?? 0, 'at most', 1);
    mark('F10', 'charges of its first minute', rows[0]?.n ?? 0, 'at least', 1);
    phone.close();
  }, 60_000);

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
    const seconds = (performance.now() - startMs) / 1000;
    mark('F11', 'seconds of silence to the BYE', seconds, 'at least', 25);
    mark('F11', 'seconds of silence to the BYE', seconds, 'at most', 35);
    await sleep(3_000);
    mark('F11', 'calls on hold that were ended too', held.inbox.filter(isBye).length, 'at most', 0);
    gone.sip.answerByes();
    held.sendRequest('BYE');
    await held.final('BYE');
    gone.close();
    held.close();
  }, 90_000);

  it('F12: CANCEL against 200, and two who change the call at once, leave nothing behind', async () => {
    let orphans = 0;
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
      }
      phone.close();
    }
    orphans = await until(
      async () => {
        const live = await liveCalls();
        return live === 0 ? 0 : undefined;
      },
      'the end of every call',
      40_000,
    );
    mark('F12', 'calls left of 20 races', orphans, 'at most', 0);
    const glare = await caller();
    const ok = await glare.call(offerTo('127.0.0.1', glare.port));
    expect(headerOf(ok, 'To')).toContain('tag=');
    glare.sendRequest('INVITE', { body: offerTo('127.0.0.1', glare.port), cseq: 20 });
    glare.sendRequest('INVITE', { body: offerTo('127.0.0.1', glare.port), cseq: 21 });
    const answers = await Promise.all([finalOf(glare, 20), finalOf(glare, 21)]);
    expect([200, 491, 500]).toContain(answers[0]);
    mark(
      'F12',
      'changes of two at once that were taken',
      answers.filter((status) => status === 200).length,
      'at least',
      1,
    );
    glare.sendRequest('BYE', { cseq: 30 });
    glare.close();
  }, 90_000);
});

const finalOf = async (phone: UdpCaller, cseq: number): Promise<number> =>
  (await phone.next((m) => m.status >= 200 && headerOf(m, 'CSeq') === `${cseq} INVITE`, `an answer to ${cseq}`)).status;

const liveCalls = async (of = gateway): Promise<number> =>
  Number(/^nidaa_calls_active\S* (\d+)/m.exec(await of.metrics())?.[1] ?? Number.NaN);

describe('faults of the machine', () => {
  const isRoot = process.getuid?.() === 0;
  if (!isRoot) console.warn('\n!!! A FULL DISK IS NOT TESTED: no file system can be mounted here !!!\n');

  it.skipIf(!isRoot)(
    'F14: a full disk ends recordings, and no call',
    async () => {
      const disk = mkdtempSync(join(tmpdir(), 'nidaa-full-'));
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=3m,mode=0755', 'tmpfs', disk]);
      let full: Gateway | undefined;
      try {
        full = await startGateway({ databaseUrl: await sharedDatabase(inject('postgresDesk')), dataDir: disk });
        const phone = await VoicePhone.open(full.sipPort);
        await phone.call(uri(full), CALL_HZ);
        await until(() => phone.audio.heard.length > 50, 'a second of the agent');
        fill(join(disk, 'ballast'));
        const from = phone.audio.heard.length;
        await sleep(4_000);
        mark('F14', 'packets heard in 4 s on a full disk', phone.audio.heard.length - from, 'at least', 190);
        const second = await VoicePhone.open(full.sipPort);
        await second.call(uri(full), CALL_HZ);
        await until(() => second.audio.heard.length > 50, 'a call that begins on a full disk');
        const charged = await fetch(`${full.api}/readyz`);
        mark('F14', 'gateways that left', full.process.exitCode === null ? 0 : 1, 'at most', 0);
        rmSync(join(disk, 'ballast'));
        await phone.hangUp();
        await second.hangUp();
        expect((await recordOf(full, phone.sip.callId)).end?.reason).toBe('caller-hangup');
        expect([200, 503]).toContain(charged.status);
        const third = await VoicePhone.open(full.sipPort);
        await third.call(uri(full), CALL_HZ);
        await sleep(1_500);
        await third.hangUp();
        const after = await recordOf(full, third.sip.callId);
        mark('F14', 'calls recorded again once there is room', after.recording ? 1 : 0, 'at least', 1);
        for (const each of [phone, second, third]) each.close();
      } finally {
        await full?.stop();
        execFileSync('umount', ['-l', disk]);
        rmSync(disk, { recursive: true, force: true });
      }
    },
    120_000,
  );

  const fakeTime = ['/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu']
    .map((folder) => `${folder}/faketime/libfaketimeMT.so.1`)
    .find((file) => existsSync(file));
  if (!fakeTime) console.warn('\n!!! A CLOCK THAT JUMPS IS NOT TESTED: faketime not installed !!!\n');

  it.skipIf(!fakeTime)(
    'F13: a clock that jumps by an hour, and back, ends no call and is not paid for',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'nidaa-clock-'));
      const clock = join(folder, 'offset');
      const jump = (offset: string): void => writeFileSync(clock, offset);
      jump('+0');
      const jumping = await startGateway({
        databaseUrl: await sharedDatabase(inject('postgresDesk')),
        env: {
          LD_PRELOAD: fakeTime!,
          FAKETIME_TIMESTAMP_FILE: clock,
          FAKETIME_NO_CACHE: '1',
          FAKETIME_DONT_FAKE_MONOTONIC: '1',
          DONT_FAKE_MONOTONIC: '1',
        },
      });
      try {
        const phone = await VoicePhone.open(jumping.sipPort);
        const startMs = performance.now();
        await phone.call(uri(jumping), CALL_HZ);
        await until(() => phone.audio.heard.length > 50, 'a second of the agent');
        for (const offset of ['+3600', '-3600', '+0']) {
          jump(offset);
          expect(await secondsAhead(jumping)).toBeCloseTo(Number(offset), -1);
          const from = phone.audio.heard.length;
          await sleep(2_000);
          mark(
            'F13',
            `packets heard in 2 s at a clock of ${offset} s`,
            phone.audio.heard.length - from,
            'at least',
            95,
          );
        }
        await phone.hangUp();
        const seconds = (performance.now() - startMs) / 1000;
        const call = await recordOf(jumping, phone.sip.callId);
        const talkMs = await withStore(jumping, async ({ calls }) => (await calls.get(call.id))?.call.talkMs ?? 0);
        mark('F13', 'seconds that the record is off', Math.abs(talkMs / 1000 - seconds), 'at most', 1);
        mark('F13', 'cents for seven seconds', call.cost_cents, 'at most', 10);
        phone.close();
      } finally {
        await jumping.dispose();
        rmSync(folder, { recursive: true, force: true });
      }
    },
    90_000,
  );

  it('F18: a main thread that stands still for 200 ms, ten times over, costs no call its audio', async () => {
    const standing = await startGateway({
      databaseUrl: await sharedDatabase(inject('postgresDesk')),
      env: { NODE_OPTIONS: '--inspect-port=127.0.0.1:0' },
    });
    try {
      const phone = await VoicePhone.open(standing.sipPort);
      await phone.call(uri(standing), CALL_HZ);
      await until(() => phone.audio.heard.length > 50, 'a second of the agent');
      standing.process.kill('SIGUSR1'); // Node opens its debugger
      const address = await until(() => /Debugger listening on (ws:\S+)/.exec(standing.log())?.[1], 'a debugger');
      const debug = new WebSocket(address);
      await once(debug, 'open');
      const from = phone.audio.heard.length;
      const startMs = performance.now();
      const expression = 'for (const t = performance.now(); performance.now() - t < 200; );';
      for (let id = 1; id <= 10; id += 1) {
        debug.send(JSON.stringify({ id, method: 'Runtime.evaluate', params: { expression } }));
        await sleep(500);
      }
      const gaps = phone.audio.arrivedMs.slice(from).map((at, index, all) => at - (all[index - 1] ?? at));
      const heard = phone.audio.heard.length - from;
      debug.close();
      mark(
        'F18',
        'packets missing in 5 s',
        Math.max(0, Math.round((performance.now() - startMs) / 20) - heard),
        'at most',
        5,
      );
      mark('F18', 'gaps above 60 ms in ten stalls', gaps.filter((gap) => gap > 60).length, 'at most', 10);
      await phone.hangUp();
      expect((await recordOf(standing, phone.sip.callId)).end?.reason).toBe('caller-hangup');
      phone.close();
    } finally {
      await standing.dispose();
    }
  }, 90_000);

  it('F16: with ports for ten calls the eleventh is refused, and a thousand calls later there are ten', async () => {
    const first = await freeUdpRange(20);
    const small = await startGateway({
      databaseUrl: await sharedDatabase(inject('postgresDesk')),
      env: { NIDAA_RTP_PORTS: `${first}-${first + 19}` },
    });
    try {
      const attempt = async (): Promise<UdpCaller | number> => {
        const phone = await caller(small);
        phone.sendRequest('INVITE', { body: offerTo('127.0.0.1', phone.port) });
        const answer = await phone.final('INVITE');
        if (answer.status !== 200) {
          phone.close();
          return answer.status;
        }
        phone.adopt(answer);
        phone.sendRequest('ACK');
        return phone;
      };
      const hangUp = async (phone: UdpCaller): Promise<void> => {
        phone.sendRequest('BYE');
        await phone.final('BYE');
        phone.close();
      };
      const outcome = async (calls: number): Promise<{ up: UdpCaller[]; refused: number }> => {
        const made = await Promise.all(Array.from({ length: calls }, attempt));
        const up = made.filter((one) => typeof one !== 'number');
        return { up, refused: made.filter((one) => one === 503).length };
      };
      const many = await outcome(30);
      mark('F16', 'calls up of 30 with ports for 10', many.up.length, 'at most', 10);
      mark('F16', 'calls up of 30 with ports for 10', many.up.length, 'at least', 10);
      mark('F16', 'refused with 503', many.refused, 'at least', 20);
      await Promise.all(many.up.map(hangUp));
      let done = 0;
      for (let batch = 0; done < 300 && batch < 600; batch += 1) {
        const { up } = await outcome(5);
        done += up.length;
        await Promise.all(up.map(hangUp));
        if (up.length < 5) await sleep(500);
      }
      const again = await until(
        async () => {
          await sleep(2 * PORT_DRAIN_MS); // A freed port rests before it serves again.
          const { up } = await outcome(10);
          await Promise.all(up.map(hangUp));
          return up.length === 10 ? 10 : undefined;
        },
        'ten calls at once again',
        60_000,
      );
      mark('F16', `calls at once after ${done} calls`, again, 'at least', 10);
    } finally {
      await small.dispose();
    }
  }, 240_000);
});

/** What the clock of a gateway is before ours. */
async function secondsAhead({ api }: Gateway): Promise<number> {
  const { headers } = await fetch(`${api}/healthz`);
  return (Date.parse(headers.get('date') ?? '') - Date.now()) / 1000;
}

/** Writes until nothing more can be written. */
function fill(file: string): void {
  const descriptor = openSync(file, 'w');
  try {
    for (let block = 0; block < 10_000; block += 1) writeSync(descriptor, Buffer.alloc(4_096));
  } catch {
    // It is full.
  } finally {
    closeSync(descriptor);
  }
}
