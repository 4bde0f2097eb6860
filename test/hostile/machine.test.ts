import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, inject, it } from 'vitest';
import { WebSocket } from 'ws';
import { minutesCharged, recordOf } from '../support/call-record.ts';
import { type Gateway, nidaa, prepared, startGateway } from '../support/gateway.ts';
import { withStore } from '../support/gateway-store.ts';
import { gapsHeard } from '../support/heard-stream.ts';
import { mark } from '../support/marks.ts';
import { OddCaller } from '../support/odd-caller.ts';
import { OwnLateness } from '../support/own-lateness.ts';
import { answerTo, register } from '../support/registering.ts';
import { sharedDatabase } from '../support/shared-postgres.ts';
import { until } from '../support/until.ts';
import { VoicePhone } from '../support/voice-phone.ts';

const CALL_HZ = 440;
const uri = ({ sipPort }: Gateway): string => `sip:1000@127.0.0.1:${sipPort}`;

describe('faults of the machine', () => {
  it('F14: a full disk ends recordings, and no call', async ({ skip }) => {
    skip(process.getuid?.() !== 0, 'needs root, to mount a small file system');
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
      mark('F14', 'loss', Math.max(0, 200 - (phone.audio.heard.length - from)));
      const second = await VoicePhone.open(full.sipPort);
      await second.call(uri(full), CALL_HZ);
      await until(() => second.audio.heard.length > 50, 'a call that begins on a full disk');
      const isTold = await until(
        async () => (await recordingState(full!)) === 'degraded',
        'the full disk is told',
        10_000,
      ).catch(() => false);
      mark('F14', 'told', isTold ? 1 : 0);
      rmSync(join(disk, 'ballast'));
      await phone.hangUp();
      await second.hangUp();
      expect((await recordOf(full, phone.sip.callId)).end?.reason).toBe('caller-hangup');
      const third = await VoicePhone.open(full.sipPort);
      await third.call(uri(full), CALL_HZ);
      await sleep(1_500);
      await third.hangUp();
      const after = await recordOf(full, third.sip.callId);
      mark('F14', 'recorded', after.recording ? 1 : 0);
      mark('F14', 'left', full.process.exitCode === null ? 0 : 1);
      for (const each of [phone, second, third]) each.close();
    } finally {
      await full?.stop();
      execFileSync('umount', ['-l', disk]);
      rmSync(disk, { recursive: true, force: true });
    }
  }, 300_000);

  const fakeTime = ['/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu']
    .map((folder) => `${folder}/faketime/libfaketimeMT.so.1`)
    .find((file) => existsSync(file));

  it('F13: a clock that jumps by an hour, and back, ends no call and is not paid for', async ({ skip }) => {
    skip(fakeTime === undefined, 'needs libfaketime');
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
      await prepared(jumping);
      const made = await nidaa(jumping, 'phone', 'create', 'alice', '--json');
      const { password } = JSON.parse(made.stdout) as { password: string };
      const alice = await OddCaller.open('127.0.0.51');
      const jumped = await callThrough(jumping, [3_600, -3_600, 0], async (offset) => {
        const asked = await register(jumping.sipPort, alice, 'alice');
        jump(`${offset < 0 ? '' : '+'}${offset}`);
        expect(await secondsAhead(jumping)).toBeCloseTo(offset, -1);
        const authorization = answerTo(jumping.sipPort, asked, 'alice', password);
        const { status } = await register(jumping.sipPort, alice, 'alice', { authorization, cseq: 2 });
        const headers = { authorization: `Bearer ${jumping.token}` };
        const agents = await fetch(`${jumping.api}/v1/agents`, { headers });
        const refused = [status, agents.status].filter((each) => each !== 200).length;
        mark('F13', 'refused', refused, `${offset} s: REGISTER ${status}, GET ${agents.status}`);
      });
      alice.close();
      for (const loss of jumped.losses) mark('F13', 'loss', loss);
      mark('F13', 'offS', Math.abs(jumped.recordS - jumped.realS));
      mark('F13', 'minutes', jumped.minutes);
    } finally {
      await jumping.dispose();
      rmSync(folder, { recursive: true, force: true });
    }
  }, 300_000);

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
      const own = new OwnLateness();
      const from = phone.audio.heard.length;
      const startMs = performance.now();
      const expression = 'for (const t = performance.now(); performance.now() - t < 200; );';
      for (let id = 1; id <= 10; id += 1) {
        debug.send(JSON.stringify({ id, method: 'Runtime.evaluate', params: { expression } }));
        await sleep(500);
      }
      const gaps = gapsHeard(phone, from, 60, own);
      own.close();
      const heard = phone.audio.heard.length - from;
      debug.close();
      mark('F18', 'loss', Math.max(0, Math.round((performance.now() - startMs) / 20) - heard));
      mark('F18', 'gaps', gaps);
      await phone.hangUp();
      expect((await recordOf(standing, phone.sip.callId)).end?.reason).toBe('caller-hangup');
      mark('F18', 'left', standing.process.exitCode === null ? 0 : 1);
      phone.close();
    } finally {
      await standing.dispose();
    }
  }, 300_000);
});

async function recordingState({ api }: Gateway): Promise<string> {
  const { parts } = (await (await fetch(`${api}/readyz`)).json()) as { parts: { recording: { state: string } } };
  return parts.recording.state;
}

/** One call of some seconds in three parts, before each of which something happens. */
async function callThrough(
  gateway: Gateway,
  offsets: readonly number[],
  before: (offset: number) => Promise<void>,
): Promise<{ recordS: number; realS: number; minutes: number; losses: number[] }> {
  const phone = await VoicePhone.open(gateway.sipPort);
  await phone.call(uri(gateway), CALL_HZ);
  const startMs = performance.now();
  await until(() => phone.audio.heard.length > 50, 'a second of the agent');
  const losses: number[] = [];
  for (const offset of offsets) {
    await before(offset);
    const [from, fromMs] = [phone.audio.heard.length, performance.now()];
    await sleep(2_000);
    losses.push(Math.max(0, (performance.now() - fromMs) / 20 - (phone.audio.heard.length - from)));
  }
  const realS = (performance.now() - startMs) / 1000;
  await phone.hangUp();
  const { id } = await recordOf(gateway, phone.sip.callId);
  const talkMs = await withStore(gateway, async ({ calls }) => (await calls.get(id))?.call.talkMs ?? 0);
  phone.close();
  return { recordS: talkMs / 1000, realS, minutes: await minutesCharged(gateway, phone.sip.callId), losses };
}

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
