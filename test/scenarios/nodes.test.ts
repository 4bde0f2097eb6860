import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { configFolder, GREETER } from '../support/config-folder.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { withStore } from '../support/gateway-store.ts';
import { moneyFaults, temporaryFolder } from '../support/postgres-store.ts';
import { sharedDatabase } from '../support/shared-postgres.ts';
import { TcpRelay } from '../support/tcp-relay.ts';
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
    expect(await callsOf(first)).toMatchObject([{ ended: false }]);
    const other = await talking(copy);
    await other.hangUp();
    await phone.hangUp();
    await until(async () => (await callsOf(first)).every(({ ended }) => ended), 'both calls have ended');
    expect((await callsOf(first)).map(({ reason }) => reason)).toEqual(['caller-hangup', 'caller-hangup']);
    expect([await withStore(first, moneyFaults), await disagreeing(first)]).toEqual([[], []]);
    expect(first.log()).not.toMatch(/taken for dead|closed what was interrupted/);
  }, 240_000);
});

/** The way of one gateway to the database. @returns it, and the address of the database over it. */
async function wayTo(databaseUrl: string): Promise<{ readonly relay: TcpRelay; readonly url: string }> {
  const { searchParams, username, pathname } = new URL(databaseUrl.replace('@/', '@socket/'));
  const relay = await TcpRelay.open(`${searchParams.get('host')}/.s.PGSQL.${searchParams.get('port')}`);
  open.push(() => relay.close());
  return { relay, url: `postgresql://${username}@127.0.0.1:${relay.port}${pathname}` };
}

const openThings = (place: Gateway): Promise<unknown> =>
  withStore(place, async ({ pool }) => {
    const { rows } = await pool.query(`SELECT (SELECT count(*)::int FROM calls WHERE ended_at IS NULL) AS calls,
      (SELECT count(*)::int FROM charges WHERE state = 'reserved') AS charges`);
    return rows[0];
  });
const NOTHING = { calls: 0, charges: 0 };
const AGREES = `SELECT c.id FROM calls c WHERE c.cost_cents <>
  (SELECT coalesce(-sum(l.cents), 0) FROM ledger l JOIN charges h ON h.id = l.id WHERE h.owner = c.id)`;
/** Calls whose record says another price than the ledger. */
const disagreeing = (place: Gateway): Promise<readonly unknown[]> =>
  withStore(place, async ({ pool }) => (await pool.query(AGREES)).rows);

describe('two gateways on one database', () => {
  it('one is cut off from it for longer than its lease: its calls go on, it finds out, and late ends are booked once', async () => {
    const databaseUrl = await sharedDatabase(inject('postgresDesk'));
    const { relay, url } = await wayTo(databaseUrl);
    const watcher = await node(databaseUrl);
    const cut = await node(url);
    const [leaves, stays] = [await talking(cut), await talking(cut)];
    await until(async () => (await callsOf(watcher)).every(({ booked }) => booked > 0), 'both calls are booked');

    relay.silent = true;
    await until(
      async () => (await callsOf(watcher)).every(({ reason }) => reason === 'interrupted'),
      'they are given up',
      60_000,
    );
    expect(watcher.log()).toContain('another gateway is dead');
    await leaves.hangUp();
    await stillHeard(stays);
    relay.silent = false;

    await until(
      () => cut.log().includes('going on under a new epoch'),
      () => cut.log(),
      60_000,
    );
    await until(async () => (await callsOf(watcher))[0]!.reason === 'caller-hangup', 'the late end is booked', 60_000);
    await stillHeard(stays);
    await stays.hangUp();
    const next = await talking(cut);
    await next.hangUp();
    await until(
      async () => (await callsOf(watcher)).every(({ reason }) => reason === 'caller-hangup'),
      'all have their ends',
    );
    expect((await callsOf(watcher)).filter(({ booked }) => booked === 0)).toEqual([]);
    expect(await openThings(watcher)).toEqual(NOTHING);
    expect([await withStore(watcher, moneyFaults), await disagreeing(watcher)]).toEqual([[], []]);
  }, 240_000);

  it('one is killed: the other closes its call, and what it had on its disk is booked once when it starts again', async () => {
    const databaseUrl = await sharedDatabase(inject('postgresDesk'));
    const { relay, url } = await wayTo(databaseUrl);
    const watcher = await node(databaseUrl);
    const dataDir = temporaryFolder();
    const killed = await node(url, { dataDir });
    const phone = await VoicePhone.open(killed.sipPort);
    open.push(() => phone.close());
    await phone.call(killed.sip, TONE_HZ);
    await until(async () => (await callsOf(watcher))[0]?.booked === 1, 'the first minute is booked');
    relay.silent = true;
    await until(() => onDisk(dataDir).includes('"type":"turn"'), 'a turn is on its disk', 60_000);
    await killed.stop('SIGKILL');
    relay.cut();

    await until(async () => (await callsOf(watcher))[0]!.reason === 'interrupted', 'the other closes the call', 60_000);
    expect(await openThings(watcher)).toEqual(NOTHING);
    const [before] = await callsOf(watcher);

    relay.silent = false;
    await node(url, { dataDir });
    await until(async () => (await callsOf(watcher))[0]!.cents > before!.cents, 'its journal is booked');
    expect([await withStore(watcher, moneyFaults), await disagreeing(watcher)]).toEqual([[], []]);
    expect((await callsOf(watcher)).map(({ reason }) => reason)).toEqual(['interrupted']);
  }, 240_000);
});

const onDisk = (dataDir: string): string => {
  const folder = join(dataDir, 'journal');
  const names = readdirSync(folder).filter((name) => name.endsWith('.journal'));
  return names.map((name) => readFileSync(join(folder, name), 'utf8')).join('');
};
