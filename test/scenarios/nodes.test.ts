import { readdirSync, readFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { type Gateway, nidaa } from '../support/gateway.ts';
import { temporaryFolder } from '../support/postgres-store.ts';
import { EVERY_TEST } from '../support/property-runs.ts';
import {
  answersOptions,
  booksFaults,
  callsOf,
  openThings,
  SeveralGateways,
  stillHeard,
  TONE_HZ,
} from '../support/several-gateways.ts';
import { sharedDatabase } from '../support/shared-postgres.ts';
import { until } from '../support/until.ts';
import { VoicePhone } from '../support/voice-phone.ts';

const LEASE_SECONDS = 6;
const TEST_MS_MAX = 900_000; // on a machine that does much else

/** Whoever says no word stays. */
const rig = new SeveralGateways(`node: { leaseSeconds: ${LEASE_SECONDS} }
conversation: { noInputMs: 120000, maxNoInputs: 20 }
`);
afterEach(() => rig.close());

/** What a caller hears. */
async function answersInvite({ sip, sipPort }: Gateway): Promise<number> {
  const phone = await VoicePhone.open(sipPort);
  try {
    return await phone.call(sip, TONE_HZ).then(
      async () => phone.hangUp().then(() => 200),
      (error: unknown) => (/503/.test(String(error)) ? 503 : Promise.reject(error)),
    );
  } finally {
    phone.close();
  }
}

/** As on another machine: there is no process that the lock in it speaks of, and nobody listens on its sockets. */
const copyFolder = async (from: string): Promise<string> => {
  const to = temporaryFolder();
  const filter = (path: string): boolean => !/\.(lock|sock)$/.test(basename(path));
  await cp(from, to, { recursive: true, filter });
  return to;
};

describe('a copy of a gateway that runs, on the same database', () => {
  it.runIf(EVERY_TEST)(
    'refuses to start, or has an identity of its own where that is set; the call of the first goes on and is billed once',
    async () => {
      const databaseUrl = await sharedDatabase(inject('postgresDesk'));
      const first = await rig.start(databaseUrl);
      const phone = await rig.talking(first);
      await until(async () => (await callsOf(first))[0]?.booked === 1, 'the first minute is booked');

      await expect(rig.start(databaseUrl, { dataDir: await copyFolder(first.dataDir) })).rejects.toThrow(
        /exited with 1.*The identity of this data folder .* is in use/s,
      );
      const env = { NIDAA_NODE_WHEN_TAKEN: 'new-identity' };
      const copy = await rig.start(databaseUrl, { dataDir: await copyFolder(first.dataDir), env });
      await stillHeard(phone);
      expect(await callsOf(first)).toMatchObject([{ ended: false }]);
      const other = await rig.talking(copy);
      await other.hangUp();
      await phone.hangUp();
      await until(async () => (await callsOf(first)).every(({ ended }) => ended), 'both calls have ended');
      expect((await callsOf(first)).map(({ reason }) => reason)).toEqual(['caller-hangup', 'caller-hangup']);
      expect(await booksFaults(first)).toEqual([]);
      expect(first.log()).not.toMatch(/taken for dead|closed what was interrupted/);
    },
    TEST_MS_MAX,
  );
});

const NOTHING = { calls: 0, charges: 0 };

describe('two gateways on one database', () => {
  it.runIf(EVERY_TEST)(
    'one is cut off from it for longer than its lease: its calls go on, it finds out, and late ends are booked once',
    async () => {
      const databaseUrl = await sharedDatabase(inject('postgresDesk'));
      const { relay, url } = await rig.wayTo(databaseUrl);
      const watcher = await rig.start(databaseUrl);
      const cut = await rig.start(url);
      const [leaves, stays] = [await rig.talking(cut), await rig.talking(cut)];
      await until(async () => (await callsOf(watcher)).every(({ booked }) => booked > 0), 'both calls are booked');

      relay.silent = true;
      await until(
        async () => (await callsOf(watcher)).every(({ reason }) => reason === 'interrupted'),
        'they are given up',
        60_000,
      );
      expect(watcher.log()).toContain('another gateway is dead');
      await until(async () => (await answersOptions(cut)) === 503, 'peers are told to call elsewhere');
      await leaves.hangUp();
      await stillHeard(stays);
      relay.silent = false;

      await until(
        () => cut.log().includes('going on under a new epoch'),
        () => cut.log(),
        60_000,
      );
      await until(
        async () => (await callsOf(watcher))[0]!.reason === 'caller-hangup',
        'the late end is booked',
        60_000,
      );
      await stillHeard(stays);
      await stays.hangUp();
      await until(async () => (await answersOptions(cut)) === 200, 'peers are told to call here');
      const next = await rig.talking(cut);
      await next.hangUp();
      await until(
        async () => (await callsOf(watcher)).every(({ reason }) => reason === 'caller-hangup'),
        'all have their ends',
      );
      expect((await callsOf(watcher)).filter(({ booked, talked }) => booked !== talked)).toEqual([]);
      expect(await openThings(watcher)).toEqual(NOTHING);
      expect(await booksFaults(watcher)).toEqual([]);
    },
    TEST_MS_MAX,
  );

  it(
    'one is killed: the other closes its call, and what it had on its disk is booked once when it starts again',
    async () => {
      const databaseUrl = await sharedDatabase(inject('postgresDesk'));
      const { relay, url } = await rig.wayTo(databaseUrl);
      const watcher = await rig.start(databaseUrl);
      const dataDir = temporaryFolder();
      const killed = await rig.start(url, { dataDir });
      const phone = await rig.phone(killed);
      await phone.call(killed.sip, TONE_HZ);
      relay.silent = true; // while it says its greeting: that turn is on its disk alone
      await until(() => onDisk(dataDir).includes('"type":"turn"'), 'a turn is on its disk', 60_000);
      await killed.stop('SIGKILL');
      relay.cut();

      await until(
        async () => (await callsOf(watcher))[0]!.reason === 'interrupted',
        'the other closes the call',
        60_000,
      );
      expect(await openThings(watcher)).toEqual(NOTHING);
      const [before] = await callsOf(watcher);

      relay.silent = false;
      await rig.start(url, { dataDir });
      await until(async () => (await callsOf(watcher))[0]!.cents > before!.cents, 'its journal is booked');
      expect(await booksFaults(watcher)).toEqual([]);
      expect((await callsOf(watcher)).map(({ reason }) => reason)).toEqual(['interrupted']);
    },
    TEST_MS_MAX,
  );
});

interface NodeView {
  readonly id: string;
  readonly state: string;
  readonly sip: string | null;
  readonly calls: number | null;
}
const nodesOf = async (place: Gateway): Promise<readonly NodeView[]> =>
  JSON.parse((await nidaa(place, 'nodes', '--json')).stdout) as readonly NodeView[];
const isOf =
  ({ sipPort }: Gateway) =>
  ({ sip }: NodeView): boolean =>
    sip?.endsWith(`:${sipPort}`) ?? false;

describe('a gateway that another is told to drain', () => {
  it.runIf(EVERY_TEST)(
    'takes no new call and keeps the one that it has, says when it is empty, and is wanted again',
    async () => {
      const databaseUrl = await sharedDatabase(inject('postgresDesk'));
      const [old, other] = [await rig.start(databaseUrl), await rig.start(databaseUrl)];
      const phone = await rig.talking(old);
      const { id } = (await nodesOf(other)).find(isOf(old))!;
      await nidaa(other, 'drain', id);
      await until(async () => (await answersOptions(old)) === 503, 'peers are told to call elsewhere');
      await until(async () => (await answersInvite(old)) === 503, 'calls are refused');
      await stillHeard(phone);
      const said = async (): Promise<NodeView> => (await nodesOf(other)).find(isOf(old))!;
      await until(async () => (await said()).state === 'draining', 'it says so with its next sign of life');
      expect((await said()).calls).toBe(1);
      const waiting = nidaa(other, 'drain', id, '--wait', '60');
      await phone.hangUp();
      await waiting;
      await nidaa(other, 'drain', id, '--undo');
      await until(async () => (await answersOptions(old)) === 200, 'peers are told to call here');
      const next = await rig.talking(old);
      await next.hangUp();
      expect(await booksFaults(other)).toEqual([]);
    },
    TEST_MS_MAX,
  );
});

const onDisk = (dataDir: string): string => {
  const folder = join(dataDir, 'journal');
  const names = readdirSync(folder).filter((name) => name.endsWith('.journal'));
  return names.map((name) => readFileSync(join(folder, name), 'utf8')).join('');
};
