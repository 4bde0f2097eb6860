import { describe, expect, inject, it } from 'vitest';
import { hasCommand, spoken } from '../support/caller-voice.ts';
import { withStore } from '../support/gateway-store.ts';
import { LONG } from '../support/property-runs.ts';
import { sharedGateway } from '../support/shared-gateway.ts';
import { load } from '../support/sipp.ts';

const missing = ['sipp', 'espeak-ng', 'flite'].filter((name) => !hasCommand(name));
if (missing.length > 0) console.warn(`\n!!! NO LOAD IS TESTED: ${missing.join(', ')} not installed !!!\n`);

const CALLS = LONG ? 100 : 40;
const ENDED = /^nidaa_calls_ended_total\{party="caller",reason="caller-hangup"\} (\d+)/m;

describe.skipIf(missing.length > 0)(`${CALLS} calls at ten a second by sipp`, () => {
  it('are all answered, heard and ended', { timeout: 120_000 }, async () => {
    const gateway = await sharedGateway(inject('gatewayDesk'));
    const endedBefore = Number(ENDED.exec(await gateway.metrics())?.[1] ?? 0);
    const result = await load({
      ...{ target: `127.0.0.1:${gateway.sipPort}`, number: '1000', calls: CALLS, callsPerSecond: 10, talkMs: 4000 },
      speech: spoken('where is my order'),
    });
    expect(result, result.errors).toMatchObject({ code: 0, successful: CALLS, failed: 0 });
    const records = await withStore(gateway, ({ calls }) => calls.list({ limit: 1000 }));
    const ofLoad = records.filter(({ from }) => /^load\d+$/.test(from)).map(({ endReason }) => endReason);
    expect(ofLoad).toEqual(Array.from({ length: CALLS }, () => 'caller-hangup'));
    const metrics = await gateway.metrics();
    expect(metrics).toContain('nidaa_calls_active 0');
    expect(Number(ENDED.exec(metrics)?.[1])).toBe(endedBefore + CALLS);
  });
});
