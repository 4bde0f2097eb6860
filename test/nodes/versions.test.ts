import { rmSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { readMigrations } from '../../src/store/migrator.ts';
import { configFolder, GREETER } from '../support/config-folder.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { withStore } from '../support/gateway-store.ts';
import { laterBuild } from '../support/later-build.ts';
import { moneyFaults, temporaryFolder } from '../support/postgres-store.ts';
import { sharedDatabase } from '../support/shared-postgres.ts';
import { until } from '../support/until.ts';
import { VoicePhone } from '../support/voice-phone.ts';

const NEXT = readMigrations().length + 1;
const file = (number: number, name: string): string => `${String(number).padStart(4, '0')}_${name}.sql`;

/** As in a rolling update: one after another, with calls and money on both. */
describe('two versions on one database', () => {
  let databaseUrl: string;
  let database: pg.Client;
  let later: string;
  let contracting: string;
  const folder = configFolder({ ...GREETER, 'nidaa.yaml': 'node: { leaseSeconds: 6 }\n' });
  const gateways: Gateway[] = [];
  const phones: VoicePhone[] = [];

  const start = async (root?: string): Promise<Gateway> => {
    const gateway = await startGateway({
      ...{ databaseUrl, dataDir: temporaryFolder(), env: { NIDAA_CONFIG: `${folder.dir}/nidaa.yaml` } },
      ...(root !== undefined && { root }),
    });
    gateways.push(gateway);
    return gateway;
  };
  const call = async ({ sip, sipPort }: Gateway): Promise<VoicePhone> => {
    const phone = await VoicePhone.open(sipPort);
    phones.push(phone);
    await phone.call(sip, 440);
    await until(() => phone.audio.heard.length > 25, 'the agent is heard');
    return phone;
  };
  /** Requests that pay, of the one account there is. */
  const spend = async ({ api }: Gateway, count: number): Promise<void> => {
    const headers = { authorization: `Bearer ${gateways[0]!.token}`, 'content-type': 'application/json' };
    const { agents } = (await (await fetch(`${api}/v1/agents`, { headers })).json()) as { agents: { id: string }[] };
    const body = JSON.stringify({ text: 'where is my order', audio: false });
    for (let n = 0; n < count; n += 1) {
      const answer = await fetch(`${api}/v1/agents/${agents[0]!.id}/reply`, { method: 'POST', headers, body });
      expect([answer.status, await answer.text()]).toEqual([200, expect.any(String)]);
    }
  };
  const replies = async (): Promise<number> =>
    (await database.query(`SELECT count(*)::int AS n FROM charges WHERE kind = 'reply' AND state = 'settled'`)).rows[0]
      .n;

  beforeAll(async () => {
    databaseUrl = await sharedDatabase(inject('postgresDesk'));
    database = new pg.Client(databaseUrl);
    await database.connect();
    const expand = {
      [file(NEXT, 'later-column')]:
        `-- expand: where a call was heard\nALTER TABLE calls ADD COLUMN heard text NOT NULL DEFAULT 'here';\n`,
      [file(NEXT + 1, 'later-index')]:
        '-- expand outside a transaction: calls by that\nCREATE INDEX CONCURRENTLY IF NOT EXISTS calls_heard ON calls (heard);\n',
    };
    const contract = `-- contract ${String(NEXT).padStart(4, '0')}: nobody asks for it any more\nALTER TABLE calls DROP COLUMN heard;\n`;
    later = laterBuild(expand);
    contracting = laterBuild({ ...expand, [file(NEXT + 2, 'later-less')]: contract });
  });
  afterAll(async () => {
    for (const phone of phones) phone.close();
    for (const gateway of gateways) await gateway.dispose();
    await database?.end();
    folder.remove();
    for (const root of [later, contracting]) rmSync(root, { recursive: true, force: true });
  });

  it('take calls and money at once: the older one from before the step, and one that starts after it', async () => {
    const before = await start();
    const early = await call(before);
    const next = await start(later);
    const after = await start();
    const { rows } = await database.query('SELECT count(*)::int AS n FROM schema_migrations WHERE number > $1', [
      NEXT - 1,
    ]);
    expect(rows[0].n).toBe(2);

    const live = [early, await call(before), await call(next), await call(after)];
    await Promise.all([spend(before, 6), spend(next, 6), spend(after, 6)]);
    expect(await replies()).toBe(18);
    for (const phone of live) await phone.hangUp();
    await until(async () => {
      const ended = await database.query('SELECT count(*)::int AS n FROM calls WHERE ended_at IS NOT NULL');
      return ended.rows[0].n === live.length;
    }, 'all calls have ended');
    const booked = await database.query(
      `SELECT (SELECT count(*)::int FROM ledger WHERE id LIKE calls.id || '/minute/%') - ceil(talk_ms / 60000.0)::int AS over, heard, gateway
       FROM calls`,
    );
    expect(booked.rows.map(({ over, heard }) => [over, heard])).toEqual(live.map(() => [0, 'here']));
    expect(new Set(booked.rows.map(({ gateway }) => gateway)).size).toBe(3);
    expect(await withStore(after, moneyFaults)).toEqual([]);
    for (const { log } of gateways) expect(log()).not.toMatch(/"level":(50|60)/);
  });

  it('a step that takes away waits until the older ones are gone, then they are refused', async () => {
    const early = gateways[0]!;
    await expect(start(contracting)).rejects.toThrow(
      /takes away what older gateways use, and there are such on this database.*0\.1\.0/s,
    );
    for (const gateway of [gateways[0]!, gateways[2]!]) expect(await gateway.stop()).toBe(0);
    const last = await start(contracting);
    const phone = await call(last);
    await phone.hangUp();
    await expect(
      startGateway({ databaseUrl, dataDir: early.dataDir, env: { NIDAA_CONFIG: `${folder.dir}/nidaa.yaml` } }),
    ).rejects.toThrow(/The database is newer than this gateway/);
    const columns = await database.query(
      `SELECT FROM pg_attribute WHERE attrelid = 'calls'::regclass AND attname = 'heard' AND NOT attisdropped`,
    );
    expect(columns.rowCount).toBe(0);
  });
});
