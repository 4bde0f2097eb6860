import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Baresip } from '../support/baresip.ts';
import { balance, callsEndedBy, latestCall } from '../support/call-record.ts';
import { hasCommand } from '../support/caller-voice.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';

const ready = hasCommand('baresip') && hasCommand('espeak-ng');
if (!ready) console.warn('\n!!! NEITHER CRASH NOR DRAIN IS TESTED: baresip or espeak-ng not installed !!!\n');

describe.skipIf(!ready)('what the gateway survives', () => {
  let dataDir: string;
  let gateway: Gateway;
  const phones: Baresip[] = [];
  const dial = async (): Promise<Baresip> => {
    const phone = await Baresip.start();
    phones.push(phone);
    expect(await phone.call(gateway.sip)).toBeTypeOf('number');
    return phone;
  };
  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'nidaa-crash-'));
    gateway = await startGateway({ dataDir });
  });
  afterEach(async () => {
    for (const phone of phones.splice(0)) phone.dispose();
    await gateway.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('kill -9 in a call: the next start closes and bills it once, and takes calls', async () => {
    const before = await balance(gateway);
    await dial();
    await sleep(3000);
    await gateway.stop('SIGKILL');
    gateway = await startGateway({ dataDir });
    expect(gateway.token).not.toMatch(/^service_sk_live_/); // Shown once, at the first start.
    const call = await latestCall(gateway);
    expect(call.end).toMatchObject({ reason: 'interrupted' });
    expect(call.cost_cents).toBeGreaterThanOrEqual(3); // the started minute
    expect(await balance(gateway)).toBe(before - call.cost_cents);
    await gateway.stop('SIGKILL');
    gateway = await startGateway({ dataDir });
    expect(await balance(gateway)).toBe(before - call.cost_cents); // Not twice.
    const phone = await dial();
    expect(await callsEndedBy(gateway)).toEqual({ interrupted: 1, open: 1 });
    phone.hangup(); // A phone that just vanishes would hold up the drain for half a minute.
    await phone.closed(2000);
  });

  it('SIGTERM: live calls may end, new ones are refused, exit code 0', async () => {
    const live = await dial();
    await sleep(1000);
    const stopped = gateway.stop('SIGTERM');
    await sleep(500);
    const late = await Baresip.start();
    phones.push(late);
    expect(await late.call(gateway.sip)).toContain('503');
    expect(live.sawEvent('CALL_CLOSED')).toBe(false);
    live.hangup();
    expect(await stopped).toBe(0);
  });
});
