import { chmodSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OperatorError } from '../../src/core/errors.ts';
import { silentLogger } from '../../src/core/logger.ts';
import { digestHashes } from '../../src/store/phones.ts';
import { REFUSED_CALLS_MAX, type RefusedCall } from '../../src/store/refused-calls.ts';
import { openSecretBox } from '../../src/store/secrets.ts';
import { Store } from '../../src/store/store.ts';
import { openTestStore, type SharedTestStore, temporaryFolder } from '../support/postgres-store.ts';
import { EVERY_TEST } from '../support/property-runs.ts';
import { trunkDefinition } from '../support/trunks.ts';

let rig: SharedTestStore;
let store: Store;
let mine: string;
let theirs: string;
beforeAll(async () => {
  rig = await openTestStore();
  store = rig.store;
  mine = (await store.accounts.create('mine')).id;
  theirs = (await store.accounts.create('theirs')).id;
});
afterAll(() => rig.close());

describe('trunks in the database', () => {
  it('are seen by their account, and those of the operator by everybody', async () => {
    const own = await store.trunks.put(mine, trunkDefinition({ name: 'a' }));
    const other = await store.trunks.put(theirs, trunkDefinition({ name: 'a' }));
    const shared = await store.trunks.put(undefined, trunkDefinition({ name: 'a' }));
    expect(await store.trunks.listFor(mine)).toEqual([own, shared]);
    expect(await store.trunks.listFor(theirs)).toEqual([other, shared]);
    expect(await store.trunks.list()).toHaveLength(3);
    expect(await store.trunks.get((other as { id: string }).id, mine)).toBeUndefined();
    expect(await store.trunks.get('a', undefined)).toEqual(shared);
  });

  it('say whether an operator wrote their definition as it stands', async () => {
    const named = trunkDefinition({ name: 'written' });
    const wrote = async () => (await store.trunks.get('written', mine))?.byOperator;
    const made = await store.trunks.put(mine, named, undefined, true);
    expect(await wrote()).toBe(true);
    await store.trunks.setEnabled((made as { id: string }).id, false);
    expect(await wrote()).toBe(true);
    await store.trunks.put(mine, named);
    expect(await wrote()).toBe(false);
    await store.trunks.remove((made as { id: string }).id);
  });

  it('keep their password through a new definition, sealed and bound to their row', async () => {
    const made = await store.trunks.put(mine, trunkDefinition({ name: 'carrier' }), { password: 'pa55-w0rd' });
    if (made === 'full') throw new Error('full');
    await store.trunks.put(mine, trunkDefinition({ name: 'carrier', pingSeconds: 0 }));
    expect(await store.trunks.secretsOf(made.id)).toEqual({ password: 'pa55-w0rd' });
    expect((await store.trunks.get('carrier', mine))?.definition.pingSeconds).toBe(0);
    const { rows } = await store.pool.query<{ sealed: Buffer }>('SELECT sealed FROM trunks WHERE id = $1', [made.id]);
    expect(rows[0]!.sealed.toString('latin1')).not.toContain('pa55');
    const another = await store.trunks.put(mine, trunkDefinition({ name: 'copy' }));
    await store.pool.query('UPDATE trunks SET sealed = $2 WHERE name = $1', ['copy', rows[0]!.sealed]);
    await expect(store.trunks.secretsOf((another as { id: string }).id)).rejects.toThrow(OperatorError);
    expect(await store.trunks.remove((another as { id: string }).id)).toBe(true);
  });
});

describe('phones in the database', () => {
  it('show their password once, and keep what a registrar checks', async () => {
    const made = await store.phones.create(mine, { name: 'reception', username: 'u-1', realm: 'nidaa' });
    if (made === 'taken') throw new Error('taken');
    const found = await store.phones.digestOf('u-1');
    expect(found).toEqual({ phone: made.phone, digest: digestHashes('u-1', 'nidaa', made.password) });
    expect(await store.phones.digestOf('u-2')).toBeUndefined();
    expect(await store.phones.get(theirs, 'reception')).toBeUndefined();
    expect(await store.phones.create(theirs, { name: 'x', username: 'u-1', realm: 'nidaa' })).toBe('taken');
    expect(await store.phones.create(mine, { name: 'reception', username: 'u-9', realm: 'nidaa' })).toBe('taken');
    expect(await store.phones.list(theirs)).toEqual([]);
  });

  it('hashes as RFC 7616 §3.9.1 does', () => {
    expect(digestHashes('Mufasa', 'http-auth@example.org', 'Circle of Life')).toEqual({
      realm: 'http-auth@example.org',
      md5: '3d78807defe7de2157e2b0b6573a855f',
      sha256: '7987c64c30e25f1b74be53f966b49b90f2808aa92faf9a00262392d7b4794232',
    });
  });
});

describe('the key of secrets', () => {
  it('is made at the first start, for nobody else to read, and is the same after that', () => {
    const dataFolder = temporaryFolder();
    const sealed = openSecretBox({ dataFolder, make: true }).seal('x', 'row');
    expect(statSync(join(dataFolder, 'secret.key')).mode & 0o777).toBe(0o600);
    expect(openSecretBox({ dataFolder, make: true }).open(sealed, 'row')).toBe('x');
    chmodSync(join(dataFolder, 'secret.key'), 0o644);
    expect(() => openSecretBox({ dataFolder, make: true })).toThrow(/chmod 600/);
    rmSync(dataFolder, { recursive: true });
    expect(() => openSecretBox({ dataFolder, make: false })).toThrow(/NIDAA_SECRET_KEY/);
  });

  it.each([
    ['hexadecimal', 'ab'.repeat(32), true],
    ['base64', Buffer.alloc(32, 7).toString('base64'), true],
    ['too short', 'ab'.repeat(31), false],
    ['a sentence', 'correct horse battery staple', false],
  ])('may be %s', (_name, secretKey, isGood) => {
    const open = () => openSecretBox({ secretKey, dataFolder: '/nowhere', make: false });
    if (isGood) expect(open().open(open().seal('x', 'row'), 'row')).toBe('x');
    else expect(open).toThrow(OperatorError);
  });

  it('that is another than the database was used with ends the start, and says so', async () => {
    const { databaseUrl } = rig;
    const dataFolder = temporaryFolder();
    writeFileSync(join(dataFolder, 'secret.key'), `${'cd'.repeat(32)}\n`, { mode: 0o600 });
    await expect(Store.open({ databaseUrl, dataFolder, logger: silentLogger })).rejects.toThrow(/secret\.key/);
    rmSync(dataFolder, { recursive: true });
  });
});

describe('refused calls in the database', () => {
  const refused = (n: number): RefusedCall => ({
    ...{ at: new Date(), from: `f${n}`, to: '00', sourceAddress: '203.0.113.9:5060', transport: 'udp' },
    ...{ sipCallId: `${n}`, reason: 'not-allowed', detail: 'no trunk', remedy: 'a trunk' },
  });

  it.runIf(EVERY_TEST)('are the last ten thousand', async () => {
    for (let from = 0; from < REFUSED_CALLS_MAX + 1_000; from += 500) {
      await store.refusedCalls.add(Array.from({ length: 500 }, (_, index) => refused(from + index)));
    }
    const count = await store.pool.query<{ n: number }>('SELECT count(*)::int AS n FROM refused_calls');
    expect(count.rows[0]!.n).toBe(REFUSED_CALLS_MAX);
    expect((await store.refusedCalls.list(2)).map(({ from }) => from)).toEqual(['f10999', 'f10998']);
  });
});
