import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readRecordings, readSealKey } from '../../src/config/recordings.ts';

const s3 = {
  ...{ bucket: 'calls', region: 'me-south-1', addressing: 'host' as const, prefix: '', partMb: 8 },
  ...{ accessKeyEnv: 'ACCESS', secretKeyEnv: 'SECRET' },
};
const plain = { home: 'local' as const, archive: 'wav' as const, orphanDays: 7 };
const key = randomBytes(32);

function read(section: Parameters<typeof readRecordings>[0], env: Record<string, string> = {}, isNeeded = true) {
  const problems: string[] = [];
  const settings = readRecordings(
    section,
    env,
    (path, message) => problems.push(`${path.join('.')}: ${message}`),
    isNeeded,
  );
  return { settings, problems };
}

describe('settings of recordings', () => {
  it('are those of before where nothing is set', () => {
    expect(read(plain)).toEqual({ settings: plain, problems: [] });
  });

  it('take keys from the environment', () => {
    const { settings, problems } = read({ ...plain, home: 's3', s3 }, { ACCESS: 'id', SECRET: 'word' });
    expect(problems).toEqual([]);
    expect(settings.s3).toMatchObject({
      ...{ accessKeyId: 'id', secretAccessKey: 'word', bucket: 'calls' },
      endpoint: 'https://s3.me-south-1.amazonaws.com',
    });
    const env = { NEW: key.toString('base64'), OLD: key.toString('hex') };
    const sealed = read({ ...plain, encryption: { keyEnv: 'NEW', oldKeyEnvs: ['OLD'] } }, env);
    expect(sealed.settings.encryption).toEqual({ key: key.toString('hex'), oldKeys: [key.toString('hex')] });
  });

  it('say what is missing, and never what a secret is', () => {
    expect(read({ ...plain, home: 's3' }).problems).toEqual([
      expect.stringContaining('recordings.s3: expected bucket'),
    ]);
    expect(read({ ...plain, s3 }, { ACCESS: 'id' }).problems).toEqual([
      expect.stringContaining('recordings.s3.secretKeyEnv: expected a secret in the environment variable SECRET'),
    ]);
    const { problems } = read({ ...plain, encryption: { keyEnv: 'NEW', oldKeyEnvs: [] } }, { NEW: 'too short' });
    expect(problems).toEqual([expect.stringContaining('expected 32 bytes in hex or base64 in NEW')]);
    expect(problems.join()).not.toContain('too short');
  });

  it('are left out where a command needs none of them', () => {
    const section = { ...plain, home: 's3' as const, s3, encryption: { keyEnv: 'NEW', oldKeyEnvs: ['OLD'] } };
    expect(read(section, {}, false)).toEqual({ settings: { ...plain, home: 's3' }, problems: [] });
  });

  it.each([
    [key.toString('hex'), true],
    [key.toString('hex').toUpperCase(), true],
    [key.toString('base64'), true],
    [key.toString('base64url'), true],
    [randomBytes(31).toString('hex'), false],
    [randomBytes(33).toString('base64'), false],
    [`${key.toString('hex')}0`, false],
    ['', false],
  ])('a key has 32 bytes: %s', (text, isKey) => {
    expect(readSealKey(text)).toBe(isKey ? key.toString('hex') : undefined);
  });
});
