import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callsEndedBy } from '../support/call-record.ts';
import { hasCommand, spoken } from '../support/caller-voice.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { load } from '../support/sipp.ts';

const missing = ['sipp', 'espeak-ng', 'flite'].filter((name) => !hasCommand(name));
if (missing.length > 0) console.warn(`\n!!! NO LOAD IS TESTED: ${missing.join(', ')} not installed !!!\n`);

describe.skipIf(missing.length > 0)('a hundred calls at ten a second by sipp', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(async () => {
    await gateway?.dispose();
  });

  it('are all answered, heard and ended', { timeout: 120_000 }, async () => {
    const result = await load({
      ...{ target: `127.0.0.1:${gateway.sipPort}`, number: '1000', calls: 100, callsPerSecond: 10, talkMs: 4000 },
      speech: spoken('where is my order'),
    });
    expect(result, result.errors).toMatchObject({ code: 0, successful: 100, failed: 0 });
    expect(await callsEndedBy(gateway)).toEqual({ 'caller-hangup': 100 });
    const metrics = await gateway.metrics();
    expect(metrics).toContain('nidaa_calls_active 0');
    expect(metrics).toMatch(/nidaa_calls_ended_total\{party="caller",reason="caller-hangup"\} 100/);
  });
});
