import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { Baresip } from '../support/baresip.ts';
import { hasCommand } from '../support/caller-voice.ts';
import { configFolder, GREETER } from '../support/config-folder.ts';
import { askedBySip, type FrontDoor, startShippedKamailio } from '../support/front-doors.ts';
import { type Gateway, nidaa, prepared, ROOT, startGateway } from '../support/gateway.ts';
import { temporaryFolder } from '../support/postgres-store.ts';
import { sharedDatabase } from '../support/shared-postgres.ts';
import { until } from '../support/until.ts';

const missing = ['kamailio', 'baresip'].filter((name) => !hasCommand(name));
if (missing.length > 0) console.warn(`\n!!! NO BALANCER IS TRIED: ${missing.join(', ')} not installed !!!\n`);

/** Callers who say nothing stay. */
const SETTINGS = `node: { leaseSeconds: 6 }
shutdown: { leadSeconds: 10, drainSeconds: longest-call }
conversation: { noInputMs: 120000 }
`;

/** docker/kamailio as it is shipped, over two gateways on one database. */
describe.skipIf(missing.length > 0)('kamailio in front of two gateways', () => {
  const gateways: Gateway[] = [];
  const phones: Baresip[] = [];
  let config: ReturnType<typeof configFolder>;
  let kamailio: FrontDoor;

  beforeAll(async () => {
    const databaseUrl = await sharedDatabase(inject('postgresDesk'));
    config = configFolder({ ...GREETER, 'nidaa.yaml': SETTINGS });
    for (let n = 0; n < 2; n += 1) {
      const gateway = await startGateway({
        ...{ databaseUrl, dataDir: temporaryFolder() },
        env: { NIDAA_CONFIG: `${config.dir}/nidaa.yaml` },
      });
      gateways.push(gateway);
      await prepared(gateway);
    }
    kamailio = await startShippedKamailio(gateways.map(({ sipPort }) => sipPort));
  });
  afterAll(async () => {
    for (const phone of phones) phone.dispose();
    await kamailio?.close();
    for (const gateway of gateways) {
      await gateway.stop('SIGKILL');
      rmSync(gateway.dataDir, { recursive: true, force: true });
    }
    config?.remove();
  });

  const asked = (method: string): Promise<number | undefined> => askedBySip(kamailio.port, method);
  const callsOf = async (gateway: Gateway): Promise<number> =>
    Number(/^nidaa_calls_active(?:\{[^}]*\})? (\d+)/m.exec(await gateway.metrics())?.[1]);
  const begun = (gateway: Gateway): number => gateway.log().split('"call started"').length - 1;
  async function call(): Promise<Baresip> {
    const phone = await Baresip.start({ maxSeconds: 200 });
    phones.push(phone);
    expect(await phone.call(`sip:1000@127.0.0.1:${kamailio.port}`), phone.log).toEqual(expect.any(Number));
    return phone;
  }

  it('takes its configuration', () => {
    const file = join(ROOT, 'docker/kamailio/kamailio.cfg');
    const { status, stderr } = spawnSync('kamailio', ['-c', '-f', file, '-w', join(ROOT, 'docker/kamailio')]);
    expect(status, String(stderr)).toBe(0);
  });

  it('gives calls to both, in turn, and ends them through itself', async () => {
    const two = [await call(), await call()];
    expect(gateways.map(begun)).toEqual([1, 1]);
    for (const phone of two) phone.hangup();
    await until(async () => (await Promise.all(gateways.map(callsOf))).join() === '0,0', 'both calls have ended');
  });

  it('gives none to one that drains, which keeps the call that it has', async () => {
    const [drained, other] = gateways as [Gateway, Gateway];
    const before = gateways.map(begun);
    const two = [await call(), await call()];
    expect(gateways.map(begun)).toEqual(before.map((count) => count + 1));
    const rows = JSON.parse((await nidaa(drained, 'nodes', '--json')).stdout) as { id: string; sip: string }[];
    const { id } = rows.find(({ sip }) => sip.endsWith(`:${drained.sipPort}`))!;
    expect((await nidaa(drained, 'drain', id)).code).toBe(0);
    await until(async () => (await fetch(`${drained.api}/readyz`)).status === 503, 'it says so', 10_000);
    await sleep(9_000); // Kamailio asks every two, three times.
    const calls = begun(drained);
    for (let n = 0; n < 2; n += 1) (await call()).hangup();
    expect(begun(drained)).toBe(calls);
    expect(await callsOf(drained)).toBe(1);
    for (const phone of two) phone.hangup();
    await until(async () => (await callsOf(drained)) === 0, 'its call has ended');
    expect((await nidaa(drained, 'drain', id, '--undo')).code).toBe(0);
    await until(async () => (await fetch(`${drained.api}/readyz`)).status === 200, 'it serves again', 10_000);
    expect(begun(other)).toBeGreaterThan(3);
    await sleep(5_000);
  });

  it('gives calls to the other one, when one was killed a moment ago', async () => {
    const [left, killed] = gateways as [Gateway, Gateway];
    await killed.stop('SIGKILL');
    const before = begun(left);
    for (let n = 0; n < 2; n += 1) (await call()).hangup();
    expect(begun(left)).toBe(before + 2);
  });

  it('says that it has none, when all are gone', async () => {
    await gateways[0]!.stop('SIGKILL');
    await until(async () => (await asked('OPTIONS')) === 503, 'it says 503', 20_000);
    expect(await asked('INVITE')).toBe(503);
  });
});
