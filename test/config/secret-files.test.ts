import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { withSecretFiles } from '../../src/config/secret-files.ts';
import { OperatorError } from '../../src/core/errors.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'nidaa-test-'));
});
afterEach(() => rmSync(folder, { recursive: true }));
const put = (name: string, text: string): void => writeFileSync(join(folder, name), text);

it('leaves an environment without a folder of secrets as it is', () => {
  const env = { DATABASE_URL: 'postgres://a/b', EMPTY: '' };
  expect(withSecretFiles(env)).toBe(env);
});

it('takes each file as the variable of its name, without the last line end', () => {
  put('DATABASE_URL', 'postgres://nidaa:secret@db/nidaa\n');
  put('NIDAA_SECRET_KEY', 'a b\n\n');
  expect(withSecretFiles({ NIDAA_SECRETS_DIR: folder, HOME: '/root' })).toMatchObject({
    ...{ DATABASE_URL: 'postgres://nidaa:secret@db/nidaa', NIDAA_SECRET_KEY: 'a b\n', HOME: '/root' },
  });
});

it('lets what the environment says go before a file, and an empty variable not', () => {
  put('REDIS_URL', 'redis://file');
  put('OPENAI_API_KEY', 'file');
  const env = { NIDAA_SECRETS_DIR: folder, REDIS_URL: 'redis://environment', OPENAI_API_KEY: '' };
  expect(withSecretFiles(env)).toMatchObject({ REDIS_URL: 'redis://environment', OPENAI_API_KEY: 'file' });
});

it('takes files of a volume of Kubernetes, which are links, and leaves its own beside them', () => {
  mkdirSync(join(folder, '..2026'));
  put('..2026/DATABASE_URL', 'postgres://db/nidaa');
  symlinkSync('..2026', join(folder, '..data'));
  symlinkSync('..data/DATABASE_URL', join(folder, 'DATABASE_URL'));
  put('notes.txt', 'none');
  const env = withSecretFiles({ NIDAA_SECRETS_DIR: folder });
  expect(Object.keys(env).sort()).toEqual(['DATABASE_URL', 'NIDAA_SECRETS_DIR']);
});

it.each([
  ['a folder that is not there', () => rmSync(folder, { recursive: true }), /ENOENT/],
  ['a folder under the name of a secret', () => mkdirSync(join(folder, 'KEY')), /EISDIR/],
  ['a file that is no secret by its size', () => put('KEY', 'x'.repeat(70_000)), /KEY is longer than 65536 bytes/],
])('refuses %s, and says what it is', (_, make, message) => {
  make();
  const read = (): unknown => withSecretFiles({ NIDAA_SECRETS_DIR: folder });
  expect(read).toThrow(OperatorError);
  expect(read).toThrow(message);
  mkdirSync(folder, { recursive: true });
});
