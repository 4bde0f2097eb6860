import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { Baresip } from '../support/baresip.ts';
import { recordOf, texts } from '../support/call-record.ts';
import { hasCommand } from '../support/caller-voice.ts';
import { type Gateway, prepared, startGateway } from '../support/gateway.ts';
import { personsConfig } from '../support/persons-config.ts';
import { freeSipPort } from '../support/ports.ts';
import { sharedDatabase } from '../support/shared-postgres.ts';
import { until } from '../support/until.ts';

const ready = hasCommand('baresip') && hasCommand('espeak-ng');
if (!ready) console.warn('\n!!! NO TRANSFER IS TESTED: baresip or espeak-ng not installed !!!\n');

describe.skipIf(!ready)('a caller who asks for a person', { concurrent: true }, () => {
  let gateway: Gateway;
  let config: string;
  let personPort: number;
  const phones: Baresip[] = [];
  beforeAll(async () => {
    const sipPort = await freeSipPort();
    personPort = await freeSipPort();
    config = personsConfig({
      1000: `sip:person@127.0.0.1:${personPort}`,
      1001: `sip:9999@127.0.0.1:${sipPort}`, // A number that nobody has.
    });
    const env = { NIDAA_CONFIG: join(config, 'nidaa.yaml'), NIDAA_SIP_PORT: String(sipPort) };
    gateway = await startGateway({ env, databaseUrl: await sharedDatabase(inject('postgresDesk')) });
    await prepared(gateway);
  });
  afterAll(async () => {
    for (const phone of phones) phone.dispose();
    await gateway?.dispose();
    if (config) rmSync(config, { recursive: true, force: true });
  });
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
    expect(await person.answer(15_000), person.log).toBe(true);
    const call = await recordOf(gateway, caller.sipCallId);
    expect(call.end).toMatchObject({ party: 'agent', reason: 'transferred' });
    expect(texts(call, 'agent').at(-1)).toMatch(/^One moment/);
    expect(person.sawEvent('CALL_CLOSED')).toBe(false);
  });

  it('is kept by the agent when nobody is there', async () => {
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
