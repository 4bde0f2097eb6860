import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findPostgresBinaries } from '../../src/store/postgres-binaries.ts';
import { canEnter, findUser, SOCKET_PATH_BYTES_MAX, socketDirFor } from '../../src/store/postgres-home.ts';
import { temporaryFolder } from '../support/postgres-store.ts';

const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const stranger = { name: 'stranger', uid: 54_321, gid: 54_321 };

describe('findUser', () => {
  const passwd = 'root:x:0:0::/:/bin/sh\nnobody:x:65534:65534::/:/x\nbad:x:y:z::/:/x\n';
  it.each([
    { name: 'the first that exists', names: ['nidaa', 'nobody'], uid: 65_534 },
    { name: 'never root', names: ['root', 'nobody'], uid: 65_534 },
    { name: 'a damaged row is none', names: ['bad', 'nobody'], uid: 65_534 },
  ])('$name', ({ names, uid }) => {
    expect(findUser(names, passwd).uid).toBe(uid);
  });
  it('says what to do where there is none', () => {
    expect(() => findUser(['nidaa'], passwd)).toThrow(/useradd/);
  });
});

describe('canEnter', () => {
  it('looks at every folder on the way', () => {
    const inner = join(folder, 'shut', 'open');
    mkdirSync(inner, { recursive: true, mode: 0o755 });
    chmodSync(folder, 0o711);
    expect(canEnter(inner, stranger)).toBe(true);
    chmodSync(join(folder, 'shut'), 0o700);
    expect(canEnter(inner, stranger)).toBe(false);
    chmodSync(join(folder, 'shut'), 0o711);
  });
});

describe('socketDirFor', () => {
  it.each([
    { name: 'fits exactly', length: SOCKET_PATH_BYTES_MAX - '/.s.PGSQL.5432'.length, own: true },
    { name: 'one byte too long', length: SOCKET_PATH_BYTES_MAX - '/.s.PGSQL.5432'.length + 1, own: false },
    { name: 'short in characters, long in bytes', length: 60, own: false, letter: 'ن' },
  ])('$name', ({ length, own, letter = 'x' }) => {
    const home = `/${letter.repeat(length - 1)}`;
    const dir = socketDirFor(home, undefined, folder);
    expect(dir === home).toBe(own);
    expect(Buffer.byteLength(join(dir, '.s.PGSQL.5432'))).toBeLessThanOrEqual(SOCKET_PATH_BYTES_MAX);
  });
  it('refuses a folder of that name which others could have made', () => {
    const home = `/${'y'.repeat(120)}`;
    const dir = socketDirFor(home, undefined, folder);
    chmodSync(dir, 0o777);
    expect(() => socketDirFor(home, undefined, folder)).toThrow(/mode 0700/);
  });
});

describe('findPostgresBinaries', () => {
  it.each([
    ['darwin', 'x64'],
    ['linux', 's390x'],
    ['win32', 'x64'],
  ])('%s %s has none: says so and what else to do', (platform, arch) => {
    expect(() => findPostgresBinaries(platform, arch)).toThrow(/DATABASE_URL/);
  });
});
