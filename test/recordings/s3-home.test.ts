import { randomBytes } from 'node:crypto';
import dns from 'node:dns';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import type { ByteSource } from '../../src/recordings/byte-source.ts';
import { S3Client, type S3Settings } from '../../src/recordings/s3/s3-client.ts';
import { S3Home } from '../../src/recordings/s3/s3-home.ts';
import { EVERY_TEST } from '../support/property-runs.ts';
import { S3Server } from '../support/s3-server.ts';

const MIB = 1024 * 1024;
const never = new AbortController().signal;

describe('a home in a bucket', () => {
  let server: S3Server;
  const clients: S3Client[] = [];
  beforeAll(async () => {
    server = await S3Server.start();
  });
  afterAll(() => server.kill());
  beforeEach(() => {
    server.objects.clear();
    server.uploads.clear();
    server.asked.length = 0;
    server.refused.length = 0;
    server.before = () => false;
    server.damage = undefined;
    server.tagsAreOpaque = false;
  });
  afterEach(() => {
    for (const client of clients.splice(0)) client.close();
  });

  const homeWith = (more: Partial<S3Settings> = {}, prefix = 'nidaa/'): S3Home => {
    const client = new S3Client({ ...server.settings, ...more }, systemClock);
    clients.push(client);
    return new S3Home({ client, clock: systemClock, prefix, partBytes: 5 * MIB });
  };
  /** Read in pieces, as a disk gives them. */
  const fileOf = (bytes: Buffer): ByteSource => ({
    ...{ size: bytes.length, changed: new Date(0) },
    read: ({ start, end }) => {
      const pieces: Buffer[] = [];
      for (let at = start; at <= end; at += 65_536) pieces.push(bytes.subarray(at, Math.min(end + 1, at + 65_536)));
      return Readable.from(pieces, { objectMode: false });
    },
  });
  const sizeOf = (name: string): number | undefined => server.objects.get(`nidaa/${name}`)?.bytes.length;
  const parts = (): number => server.asked.filter((what) => what.includes('partNumber=')).length;

  it.each([
    { name: 'empty', bytes: 0, sent: 0 },
    { name: 'small', bytes: 100_000, sent: 0 },
    { name: 'one part exactly', bytes: 5 * MIB, sent: 0 },
    { name: 'a byte more', bytes: 5 * MIB + 1, sent: 2 },
    { name: 'several parts', bytes: 12 * MIB + 7, sent: 3 },
  ])('takes a file and gives it back, whole and in part: $name', async ({ bytes: size, sent }) => {
    const [home, bytes] = [homeWith(), randomBytes(size)];
    const name = 'recordings/a call+(1) ü.wav';
    const stored = await home.put(name, fileOf(bytes), never);
    expect(stored.bytes).toBe(size);
    expect(parts()).toBe(sent);
    expect(server.asked.filter((what) => what.startsWith('GET'))).toEqual([]); // its tag tells enough
    expect([server.refused, server.uploads.size]).toEqual([[], 0]);
    const found = (await home.find(name))!;
    expect(found.size).toBe(size);
    if (size === 0) return;
    expect((await buffer(found.read({ start: 0, end: size - 1 }))).equals(bytes)).toBe(true);
    const [start, end] = [Math.floor(size / 3), Math.floor(size / 2)];
    expect((await buffer(found.read({ start, end }))).equals(bytes.subarray(start, end + 1))).toBe(true);
  });

  it.runIf(EVERY_TEST)('sends nothing twice: a job that is run again finds what it has sent', async () => {
    const [home, file] = [homeWith(), fileOf(randomBytes(6 * MIB))];
    const first = await home.put('recordings/x.wav', file, never);
    const before = parts();
    expect(await home.put('recordings/x.wav', file, never)).toEqual(first);
    expect(parts()).toBe(before);
    await home.put('recordings/x.wav', fileOf(randomBytes(6 * MIB)), never); // as long, and another
    expect(parts()).toBe(2 * before);
  });

  it('reads back what a storage tells no MD5 of', async () => {
    server.tagsAreOpaque = true;
    for (const size of [1_000, 6 * MIB]) {
      await homeWith().put(`recordings/${size}.wav`, fileOf(randomBytes(size)), never);
      expect(sizeOf(`recordings/${size}.wav`)).toBe(size);
    }
    expect(server.asked.filter((what) => what.startsWith('GET'))).toHaveLength(2);
  });

  it.each([
    { name: 'in one piece', size: 1_000, opaque: false },
    { name: 'in parts', size: 6 * MIB, opaque: false },
    { name: 'in one piece, without an MD5', size: 1_000, opaque: true },
  ])('believes nothing that did not arrive as it was, and leaves it not there: $name', async ({ size, opaque }) => {
    server.tagsAreOpaque = opaque;
    server.damage = (bytes) => {
      const other = Buffer.from(bytes);
      other[size - 1]! ^= 1;
      return other;
    };
    const put = homeWith().put('recordings/x.wav', fileOf(randomBytes(size)), never);
    await expect(put).rejects.toThrow('not what was sent');
    expect(sizeOf('recordings/x.wav')).toBeUndefined();
  });

  it.runIf(EVERY_TEST)('a part that breaks off is sent again, alone', async () => {
    let broken = 0;
    server.before = (request, response) => {
      if (!request.url?.includes('partNumber=2') || broken >= 2) return false;
      broken += 1;
      if (broken === 1) request.destroy();
      else response.writeHead(503).end('<Error><Code>SlowDown</Code></Error>');
      return true;
    };
    const bytes = randomBytes(11 * MIB);
    await homeWith().put('recordings/x.wav', fileOf(bytes), never);
    expect(server.objects.get('nidaa/recordings/x.wav')!.bytes.equals(bytes)).toBe(true);
    expect([broken, parts()]).toEqual([2, 3]);
  });

  it('an upload that fails is taken back', async () => {
    server.before = (request, response) => {
      if (!request.url?.includes('partNumber=2')) return false;
      response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>');
      return true;
    };
    await expect(homeWith().put('recordings/x.wav', fileOf(randomBytes(6 * MIB)), never)).rejects.toThrow(
      '403 AccessDenied',
    );
    expect([server.uploads.size, server.objects.size]).toEqual([0, 0]);
  });

  it('reading goes on where it broke off', async () => {
    const [home, bytes] = [homeWith(), randomBytes(3 * MIB)];
    await home.put('recordings/x.wav', fileOf(bytes), never);
    let broken = false;
    server.before = (request, response) => {
      if (request.method !== 'GET' || broken) return false;
      broken = true;
      const [, from, to] = /bytes=(\d+)-(\d+)/.exec(request.headers.range!)!;
      response.writeHead(206, { 'content-length': Number(to) - Number(from) + 1 });
      response.write(bytes.subarray(Number(from), Number(from) + MIB), () => response.destroy());
      return true;
    };
    const found = (await home.find('recordings/x.wav'))!;
    expect((await buffer(found.read({ start: 5, end: 3 * MIB - 2 }))).equals(bytes.subarray(5, 3 * MIB - 1))).toBe(
      true,
    );
    expect(broken).toBe(true);
  });

  it('a file that is replaced while it is read is an error, not a mixture', async () => {
    const home = homeWith();
    await home.put('recordings/x.wav', fileOf(randomBytes(100)), never);
    const found = (await home.find('recordings/x.wav'))!;
    await home.put('recordings/x.wav', fileOf(randomBytes(100)), never);
    await expect(buffer(found.read({ start: 0, end: 99 }))).rejects.toThrow('412');
  });

  it('lists names in their order, after another, and nothing else of the bucket', async () => {
    const home = homeWith();
    const names = ['recordings/a&b.wav', 'recordings/a.wav', 'recordings/z +.wav'].sort();
    for (const name of names) await home.put(name, fileOf(Buffer.from(name)), never);
    await homeWith({}, 'other/').put('recordings/c.wav', fileOf(Buffer.from('c')), never);
    const all = await home.list(undefined);
    expect(all.map(({ name, bytes }) => [name, bytes])).toEqual(names.map((name) => [name, name.length]));
    expect(all.every(({ changed }) => Math.abs(changed.getTime() - Date.now()) < 60_000)).toBe(true);
    expect((await home.list(names[1])).map(({ name }) => name)).toEqual(names.slice(2));
    expect(await home.list(names[2])).toEqual([]);
  });

  it('removes what is there, and what is gone', async () => {
    const home = homeWith();
    await home.put('recordings/x.wav', fileOf(Buffer.from('x')), never);
    await home.remove('recordings/x.wav');
    await home.remove('recordings/x.wav');
    expect(await home.find('recordings/x.wav')).toBeUndefined();
  });

  it('reaches a bucket by the name of its host', async () => {
    const home = homeWith({
      endpoint: server.settings.endpoint.replace('127.0.0.1', 'storage.example'),
      addressing: 'host',
    });
    const { lookup } = dns;
    const hosts = new Set<string>();
    const spy = vi.spyOn(dns, 'lookup').mockImplementation(((host: string, ...rest: never[]) => {
      hosts.add(host);
      return (lookup as (...all: unknown[]) => void)('127.0.0.1', ...rest);
    }) as never);
    try {
      await home.probe();
    } finally {
      spy.mockRestore();
    }
    expect([...hosts]).toEqual(['calls.storage.example']);
    expect([server.asked.length > 0, server.refused, server.objects.size]).toEqual([true, [], 0]);
  });

  it.each([
    { name: 'another secret', more: { secretAccessKey: 'other' }, code: '403 SignatureDoesNotMatch' },
    { name: 'another key', more: { accessKeyId: 'other' }, code: '403 InvalidAccessKeyId' },
    { name: 'another region', more: { region: 'eu-west-1' }, code: '400 AuthorizationHeaderMalformed' },
    { name: 'another bucket', more: { bucket: 'other' }, code: '404 NoSuchBucket' },
  ])('says why the storage refuses, without a secret: $name', async ({ more, code }) => {
    const error = await homeWith(more)
      .list(undefined)
      .catch((fault: unknown) => fault);
    expect(String(error)).toContain(code);
    expect(String(error)).not.toMatch(/secret|AKIDTEST/);
  });

  it('a session token is sent and signed', async () => {
    let told: string | undefined;
    server.before = (request) => {
      told = String(request.headers['x-amz-security-token']);
      return false;
    };
    await homeWith({ sessionToken: 'session' }).list(undefined);
    expect([told, server.refused]).toEqual(['session', []]);
  });

  it('a storage that is away is an error at once', async () => {
    const home = homeWith();
    await server.kill();
    try {
      await expect(home.put('recordings/x.wav', fileOf(Buffer.from('x')), never)).rejects.toThrow('ECONNREFUSED');
    } finally {
      await server.begin();
    }
    await home.probe();
  });
});
