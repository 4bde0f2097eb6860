import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkRecordings } from '../../../src/cli/checks/recordings.ts';
import { loadConfig } from '../../../src/config/load.ts';
import { S3Server } from '../../support/s3-server.ts';

describe('what doctor says of recordings', () => {
  const { media, recordings } = loadConfig({ env: {} });
  let server: S3Server;
  beforeAll(async () => {
    server = await S3Server.start();
  });
  afterAll(() => server.kill());
  const s3 = (more: object = {}) => ({ ...server.settings, prefix: 'nidaa/', partMb: 8, ...more });
  const states = (found: readonly { readonly state: string }[]): string[] => found.map(({ state }) => state);

  it('in what form they are kept, and how large', async () => {
    const [plain] = await checkRecordings({ media, recordings });
    expect(plain).toMatchObject({ state: 'info', detail: 'wav, 1.92 MB a minute, not encrypted' });
    const key = 'ab'.repeat(32);
    const sealed = { ...recordings, archive: 'g711' as const, encryption: { key, oldKeys: [] } };
    const [half] = await checkRecordings({ media, recordings: sealed });
    expect(half!.detail).toMatch(/^g711, 0\.96 MB a minute, encrypted with the key [0-9a-f]{16}$/);
    expect(half!.detail).not.toContain(key);
    const [none] = await checkRecordings({ media: { ...media, recording: false }, recordings });
    expect(none!.detail).toBe('calls are not recorded');
  });

  it('whether their home can be written, read and listed, and leaves nothing in it', async () => {
    const found = await checkRecordings({ media, recordings: { ...recordings, home: 's3', s3: s3() } });
    expect(states(found)).toEqual(['info', 'ok']);
    expect([server.refused, server.objects.size]).toEqual([[], 0]);
  });

  it('why it cannot, without a secret', async () => {
    const wrong = s3({ secretAccessKey: 'other/secret' });
    const [, found] = await checkRecordings({ media, recordings: { ...recordings, home: 's3', s3: wrong } });
    expect(found).toMatchObject({ state: 'fail', detail: expect.stringContaining('SignatureDoesNotMatch') });
    expect(`${found!.detail} ${found!.fix}`).not.toMatch(/other\/secret|AKIDTEST/);
    const [, older] = await checkRecordings({ media, recordings: { ...recordings, s3: s3({ bucket: 'gone' }) } });
    expect(older).toMatchObject({ state: 'warn', detail: expect.stringContaining('bucket gone') });
  });
});
