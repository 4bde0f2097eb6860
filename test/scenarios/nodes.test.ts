import { rmSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { basename } from 'node:path';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { configFolder, GREETER } from '../support/config-folder.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { withStore } from '../support/gateway-store.ts';
import { moneyFaults, temporaryFolder } from '../support/postgres-store.ts';
import { sharedDatabase } from '../support/shared-postgres.ts';
import { until } from '../support/until.ts';
import { VoicePhone } from '../support/voice-phone.ts';

const LEASE_SECONDS = 6;
const TONE_HZ = 440;
const HEARD_PACKETS = 25;

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

/** A gateway among others on `databaseUrl`. */
async function node(
  databaseUrl: string,
  options: { dataDir?: string; env?: Record<string, string> } = {},
): Promise<Gateway> {
  const folder = configFolder({ ...GREETER, 'nidaa.yaml': `node: { leaseSeconds: ${LEASE_SECONDS} }\n` });
  open.push(() => folder.remove());
  const { dataDir = temporaryFolder() } = options;
  open.push(() => rmSync(dataDir, { recursive: true, force: true }));
  const gateway = await startGateway({
    ...{ dataDir, databaseUrl },
    env: { NIDAA_CONFIG: `${folder.dir}/nidaa.yaml`, ...options.env },
  });
  open.push(() => gateway.stop('SIGKILL'));
  return gateway;
}

/** A call that goes on: the agent is heard. */
async function talking({ sip, sipPort }: Gateway): Promise<VoicePhone> {
  const phone = await VoicePhone.open(sipPort);
  open.push(() => phone.close());
  await phone.call(sip, TONE_HZ);
  await stillHeard(phone);
  return phone;
}
async function stillHeard({ audio }: VoicePhone): Promise<void> {
  const before = audio.heard.length;
  await until(() => audio.heard.length >= before + HEARD_PACKETS, 'the gateway goes on sending');
}

interface Row {
  readonly id: string;
  readonly gateway: string;
  readonly ended: boolean;
  readonly reason: string | null;
  readonly cents: number;
  readonly booked: number; // entries of the ledger
}
const callsOf = (place: Gateway): Promise<readonly Row[]> =>
  withStore(place, async ({ pool }) => {
    const { rows } = await pool.query<Row>(
      `SELECT id, gateway, ended_at IS NOT NULL AS ended, end_reason AS reason, cost_cents::int AS cents,
        (SELECT count(*)::int FROM ledger WHERE id LIKE calls.id || '/minute/%') AS booked FROM calls ORDER BY started_at`,
    );
    return rows;
  });

/** As on another machine: there is no process that the lock in it speaks of, and nobody listens on its sockets. */
const copyFolder = async (from: string): Promise<string> => {
  const to = temporaryFolder();
  const filter = (path: string): boolean => !/\.(lock|sock)$/.test(basename(path));
  await cp(from, to, { recursive: true, filter });
  return to;
};

describe('a copy of a gateway that runs, on the same database', () => {
  it('refuses to start, or has an identity of its own where that is set; the call of the first goes on and is billed once', async () => {
    const databaseUrl = await sharedDatabase(inject('postgresDesk'));
    const first = await node(databaseUrl);
    const phone = await talking(first);
    await until(async () => (await callsOf(first))[0]?.booked === 1, 'the first minute is booked');

    await expect(node(databaseUrl, { dataDir: await copyFolder(first.dataDir) })).rejects.toThrow(
      /exited with 1.*The identity of this data folder .* is in use/s,
    );
    const env = { NIDAA_NODE_WHEN_TAKEN: 'new-identity' };
    const copy = await node(databaseUrl, { dataDir: await copyFolder(first.dataDir), env });
    await stillHeard(phone);
    expect(await callsOf(first)).toMatchObject([{ ended: false, booked: 1 }]);
    const other = await talking(copy);
    await other.hangUp();
    await phone.hangUp();
    await until(async () => (await callsOf(first)).every(({ ended }) => ended), 'both calls have ended');
    expect(await callsOf(first)).toMatchObject([
      { reason: 'caller-hangup', booked: 1 },
      { reason: 'caller-hangup', booked: 1 },
    ]);
    expect(await withStore(first, moneyFaults)).toEqual([]);
    expect(first.log()).not.toMatch(/taken for dead|closed what was interrupted/);
  }, 240_000);
});
