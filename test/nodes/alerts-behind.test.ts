import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { hasCommand } from '../support/caller-voice.ts';
import { configFolder, GREETER } from '../support/config-folder.ts';
import { type Gateway, prepared, ROOT, startGateway } from '../support/gateway.ts';
import { freeTcpPort } from '../support/ports.ts';
import { Prometheus } from '../support/prometheus.ts';
import { HAS_RTPENGINE, Rtpengine } from '../support/rtpengine.ts';
import { sharedDatabase } from '../support/shared-postgres.ts';
import { until } from '../support/until.ts';

const hasPrometheus = hasCommand('prometheus');
if (!hasPrometheus)
  console.warn('\n!!! NO ALERT IS FIRED FOR WHAT A GATEWAY STANDS ON: prometheus not installed !!!\n');
/** Two rounds of what is done once a minute. */
const ROUNDS_MS = 150_000;

describe.skipIf(!hasPrometheus || !HAS_RTPENGINE)('alerts fire for what a gateway stands on', () => {
  const engines: Rtpengine[] = [];
  let database: pg.Client;
  let holder: pg.Client;
  let folder: ReturnType<typeof configFolder>;
  let gateway: Gateway;
  let prometheus: Prometheus;
  beforeAll(async () => {
    for (const _ of [1, 2]) engines.push(await Rtpengine.start());
    const databaseUrl = await sharedDatabase(inject('postgresDesk'));
    [database, holder] = [new pg.Client(databaseUrl), new pg.Client(databaseUrl)];
    for (const client of [database, holder]) await client.connect();
    const named = engines.map(({ address }) => `{ address: "${address}" }`).join(', ');
    folder = configFolder({
      ...GREETER,
      'nidaa.yaml': `media: { workers: 1, edge: { engines: [${named}], pingMs: 500 } }\nretention: { callsDays: 1 }\n`,
    });
    const port = await freeTcpPort();
    gateway = await startGateway({
      databaseUrl,
      env: { NIDAA_CONFIG: `${folder.dir}/nidaa.yaml`, NIDAA_METRICS_PORT: String(port) },
    });
    await prepared(gateway);
    prometheus = await Prometheus.start(`127.0.0.1:${port}`, join(ROOT, 'docker/observability/alerts.yml'));
    await prometheus.knows('nidaa_media_edge_engines{state="up"} == 2');
  });
  afterAll(async () => {
    await prometheus?.close();
    await gateway?.dispose();
    for (const client of [holder, database]) await client?.end();
    for (const engine of engines) await engine.kill();
    folder?.remove();
  });
  const ends = (name: string, withinMs: number): Promise<true> =>
    until(async () => !(await prometheus.look()).includes(name), `${name} is over`, withinMs);

  it('one rtpengine of two that is away: media goes by the other', async () => {
    await engines[1]!.kill();
    await prometheus.fires('NidaaMediaEdgeDown');
    expect((await fetch(`${gateway.api}/readyz`)).status).toBe(200);
    await engines[1]!.run();
    await ends('NidaaMediaEdgeDown', 60_000);
    expect(prometheus.fired.has('NidaaPartDown')).toBe(false);
  });

  it('a table that somebody holds: what is to be gone stays, until they let go', async () => {
    await holder.query('SET idle_in_transaction_session_timeout = 0; BEGIN; LOCK TABLE turns IN ACCESS EXCLUSIVE MODE');
    await database.query(
      `INSERT INTO calls (id, sip_call_id, account_id, agent_id, agent_version, agent_name, from_number, to_number, gateway, started_at, ended_at, direction)
       SELECT 'call_kept', 'kept', a.account_id, a.id, a.version, a.name, '', '', g.id, now() - interval '3 days', now() - interval '3 days', 'inbound'
       FROM (SELECT * FROM agents ORDER BY id LIMIT 1) a, (SELECT id FROM gateways LIMIT 1) g`,
    );
    try {
      await prometheus.fires('NidaaRetentionLate', ROUNDS_MS);
    } finally {
      await holder.query('ROLLBACK');
    }
    await ends('NidaaRetentionLate', 2 * ROUNDS_MS);
    const { rows } = await database.query(`SELECT erased_at IS NOT NULL AS gone FROM calls WHERE id = 'call_kept'`);
    expect(rows).toEqual([{ gone: true }]);
  });
});
