import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../src/core/ids.ts';
import { type ManageRig, manageRig } from '../support/manage-rig.ts';

interface NodeBody {
  readonly id: string;
  readonly state: string;
  readonly recordings: number | null;
}

let rig: ManageRig;
beforeAll(async () => {
  rig = await manageRig();
});
afterAll(async () => {
  expect(await rig?.unaudited()).toEqual([]);
  await rig?.close();
});
const nodes = async (): Promise<readonly NodeBody[]> =>
  (await rig.ask<{ items: NodeBody[] }>('GET /system/nodes')).body.items;

it('a gateway that never comes back is shown while its disk is waited for, until somebody gives it up', async () => {
  const { pool, erasures, gateways, calls } = rig.store;
  const [gone, erased] = [newId('call'), newId('call')];
  const dead = 'gw_deadnode_1';
  await pool.query(
    `INSERT INTO gateways (id, node, started_at, seen_at, expires_at)
      SELECT $1, 'deadnode-of-long-ago', at, at, at FROM (SELECT now() - interval '60 days' AS at) a`,
    [dead],
  );
  const found = async () => (await nodes()).find(({ id }) => id === dead);
  expect(await found()).toBeUndefined();
  for (const [id, from] of [
    [gone, '+966500000066'],
    [erased, '+966500000077'],
  ]) {
    await pool.query(
      `INSERT INTO calls (id, sip_call_id, account_id, agent_id, agent_version, agent_name, from_number, to_number, gateway, started_at, ended_at,
         end_party, end_reason, recording, recording_state) VALUES ($1, $1, $2, 'agt_x', 1, 'x', $4, '1', $3, now(), now(),
         'caller', 'caller-hangup', 'recordings/' || $1, 'ready')`,
      [id, rig.accountId, dead, from],
    );
    await pool.query(`INSERT INTO recordings (call_id, node, name) VALUES ($1, 'deadnode', 'recordings/' || $1)`, [id]);
  }
  await pool.query('UPDATE gateways SET fenced_at = seen_at WHERE id = $1', [dead]);
  await calls.erase(erased, rig.accountId);
  await gateways.forget(dead); // long ago, and yet it has to have a name
  const { id: waiting } = await erasures.erase('+966500000077', { countryCode: '966', accountId: rig.accountId });
  expect(await found()).toMatchObject({ state: 'lost', recordings: 2 });
  expect((await erasures.get(waiting))?.onNodes).toEqual(expect.arrayContaining(['deadnode']));

  const path = `POST /system/nodes/${dead}/forget` as const;
  expect(await rig.ask(path)).toMatchObject({ status: 200, body: { recordings: 2 } });
  expect((await pool.query('SELECT FROM recordings WHERE call_id = ANY($1)', [[gone, erased]])).rowCount).toBe(0);
  expect((await calls.get(gone))?.call).toMatchObject({ recording: null, recordingState: null });
  expect((await erasures.get(waiting))?.onNodes).not.toContain('deadnode');
  expect(await found()).toBeUndefined();
  await gateways.forget(dead);
  expect((await rig.ask(path)).status).toBe(404);
});

it('a gateway that lives is not given up, nor another start of a node that does', async () => {
  const { pool, gateways } = rig.store;
  await gateways.claim({ id: gateways.id, beat: 'second', leaseSeconds: 30 });
  const before = 'gw_before_1';
  await pool.query(
    `INSERT INTO gateways (id, node, started_at, expires_at, fenced_at) SELECT $1, node, now() - interval '1 hour', now() - interval '1 hour', now()
      FROM gateways WHERE id = $2`,
    [before, gateways.id],
  );
  for (const id of [gateways.id, before]) {
    const refused = await rig.ask<{ readonly error: { readonly code: string } }>(`POST /system/nodes/${id}/forget`);
    expect([refused.status, refused.body.error.code]).toEqual([409, 'not_possible']);
  }
  expect((await gateways.living()).map(({ id }) => id)).toContain(gateways.id);
});
