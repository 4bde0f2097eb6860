import { rmSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { readMigrations } from '../../src/store/migrator.ts';
import { configFolder, GREETER } from '../support/config-folder.ts';
import { type Gateway, prepared, startGateway } from '../support/gateway.ts';
import { type OlderBuild, olderBuild, olderCommit } from '../support/older-build.ts';
import { temporaryFolder } from '../support/postgres-store.ts';
import { booksFaults, callsOf, openThings, stillHeard, TONE_HZ } from '../support/several-gateways.ts';
import { databaseWithoutTables } from '../support/shared-postgres.ts';
import { until } from '../support/until.ts';
import { VoicePhone } from '../support/voice-phone.ts';

const commit = olderCommit();
if (!commit) console.warn('\n!!! NO OLDER VERSION RUNS BESIDE THIS ONE: its history is not here !!!\n');
const REQUESTS = 6;

/** The one before the newest step of the tables, built from the history, and this one. */
describe.skipIf(!commit)('an older version and this one on one database', () => {
  let older: OlderBuild;
  let databaseUrl: string;
  let token: string;
  const folder = configFolder({
    ...GREETER,
    'nidaa.yaml': 'node: { leaseSeconds: 6 }\nconversation: { noInputMs: 120000, maxNoInputs: 20 }\n',
  });
  const gateways: Gateway[] = [];
  const phones: VoicePhone[] = [];

  const start = async (root?: string, dataDir = temporaryFolder()): Promise<Gateway> => {
    const gateway = await startGateway({
      ...{ databaseUrl, dataDir, env: { NIDAA_CONFIG: `${folder.dir}/nidaa.yaml` } },
      ...(root !== undefined && { root }),
    });
    gateways.push(gateway);
    await prepared(gateway);
    return gateway;
  };
  const call = async ({ sip, sipPort }: Gateway): Promise<VoicePhone> => {
    const phone = await VoicePhone.open(sipPort);
    phones.push(phone);
    await phone.call(sip, TONE_HZ);
    await stillHeard(phone);
    return phone;
  };
  const spend = async ({ api }: Gateway): Promise<void> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const { agents } = (await (await fetch(`${api}/v1/agents`, { headers })).json()) as { agents: { id: string }[] };
    const body = JSON.stringify({ text: 'where is my order', audio: false });
    for (let n = 0; n < REQUESTS; n += 1) {
      const answer = await fetch(`${api}/v1/agents/${agents[0]!.id}/reply`, { method: 'POST', headers, body });
      expect([answer.status, await answer.text()]).toEqual([200, expect.any(String)]);
    }
  };
  /** By a connection of its own: a store of this version would bring the tables up to date. */
  const one = async (sql: string): Promise<number> => {
    const client = new pg.Client(databaseUrl);
    await client.connect();
    try {
      return (await client.query<{ n: number }>(sql)).rows[0]!.n;
    } finally {
      await client.end();
    }
  };
  const steps = (): Promise<number> => one('SELECT count(*)::int AS n FROM schema_migrations');

  beforeAll(async () => {
    older = olderBuild(commit!);
    databaseUrl = await databaseWithoutTables(inject('postgresDesk'));
  }, 900_000);
  afterAll(async () => {
    for (const phone of phones) phone.close();
    for (const gateway of gateways) await gateway.dispose();
    if (older) rmSync(older.root, { recursive: true, force: true });
    folder.remove();
  });

  it('take calls and money at once, from before this one brings the tables up to date until the older one has restarted', async () => {
    const before = await start(older.root);
    ({ token } = before);
    expect(await steps()).toBe(older.steps);
    const early = await call(before);

    const now = await start();
    expect(await steps()).toBe(readMigrations().length);
    expect(older.steps).toBeLessThan(readMigrations().length);
    console.log(
      `${older.commit.slice(0, 8)} with ${older.steps} steps of the tables beside ${readMigrations().length}`,
    );
    await stillHeard(early);
    const live = [early, await call(before), await call(now)];
    await Promise.all([spend(before), spend(now)]);
    for (const phone of live) await phone.hangUp();

    expect(await before.stop()).toBe(0);
    const again = await start(older.root, before.dataDir);
    const late = [await call(again), await call(now)];
    await Promise.all([spend(again), spend(now)]);
    for (const phone of late) await phone.hangUp();

    const count = live.length + late.length;
    await until(async () => {
      const ended = (await callsOf(now)).filter(({ reason }) => reason === 'caller-hangup');
      return ended.length === count;
    }, 'all calls have ended');
    const calls = await callsOf(now);
    expect(calls.map(({ booked }) => booked)).toEqual(calls.map(({ talked }) => talked));
    expect(new Set(calls.map(({ gateway }) => gateway)).size).toBe(3);
    const replies = `SELECT count(*)::int AS n FROM charges WHERE kind = 'reply' AND state = 'settled'`;
    expect(await one(replies)).toBe(4 * REQUESTS);
    expect(await openThings(now)).toEqual({ calls: 0, charges: 0 });
    expect(await booksFaults(now)).toEqual([]);
    for (const { log } of gateways) expect(log()).not.toMatch(/"level":(50|60)/);
  }, 600_000);
});
