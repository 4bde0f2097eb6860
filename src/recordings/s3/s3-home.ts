import { createHash, randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type Clock, delay } from '../../core/clock.ts';
import type { ByteRange, ByteSource } from '../byte-source.ts';
import type { ListedFile, RecordingHome, StoredFile } from '../recording-home.ts';
import { entityTagOf, type FileHashes, type HashedPart, hashFile } from './file-hashes.ts';
import { type S3Client, S3Error } from './s3-client.ts';
import { completion, listedIn, textIn } from './s3-xml.ts';

export interface S3HomeOptions {
  readonly client: S3Client;
  readonly clock: Clock;
  /** Before every name. */
  readonly prefix: string;
  /** A file that is larger goes in parts of this size. S3 takes none below 5 MiB but the last. */
  readonly partBytes: number;
}

/** Of one part: the job as a whole is tried again later. */
const PART_TRIES_MAX = 3;
const PART_RETRY_MS = 500;
/** A reading that breaks off goes on where it was. */
const READ_TRIES_MAX = 3;
const PAGE_MAX = 1_000;
/** Names of recordings, not of what else is below the prefix. */
const LISTED = 'recordings/';
const PROBE_BYTES = 64;
const tagOf = (headers: IncomingHttpHeaders): string => String(headers.etag ?? '').replace(/^"|"$/g, '');

/** Recordings in a bucket of an S3-compatible storage. */
export class S3Home implements RecordingHome {
  constructor(private readonly options: S3HomeOptions) {}

  async put(name: string, file: ByteSource, signal: AbortSignal): Promise<StoredFile> {
    const hashes = await hashFile(file, this.options.partBytes, signal);
    if (!(await this.#isThere(name, file.size, hashes))) {
      if (hashes.parts.length === 1) await this.#putWhole(name, file, hashes, signal);
      else await this.#putInParts(name, file, hashes, signal);
      if (!(await this.#isThere(name, file.size, hashes))) {
        await this.remove(name);
        throw new Error('what arrived in the storage is not what was sent');
      }
    }
    return { bytes: file.size, sha256: hashes.sha256 };
  }

  async find(name: string): Promise<ByteSource | undefined> {
    const headers = await this.#head(name);
    if (!headers) return undefined;
    return {
      size: Number(headers['content-length']),
      changed: new Date(String(headers['last-modified'] ?? 0)),
      read: (range) => Readable.from(this.#read(name, range, String(headers.etag ?? '')), { objectMode: false }),
    };
  }

  async remove(name: string): Promise<void> {
    try {
      (await this.options.client.ask({ method: 'DELETE', key: this.#key(name) })).resume();
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }

  async list(after: string | undefined): Promise<readonly ListedFile[]> {
    const { client, prefix } = this.options;
    const xml = await client.askText({
      method: 'GET',
      query: {
        ...{ 'list-type': '2', 'encoding-type': 'url', 'max-keys': String(PAGE_MAX), prefix: prefix + LISTED },
        ...(after !== undefined && { 'start-after': prefix + after }),
      },
    });
    return listedIn(xml).map(({ name, ...rest }) => ({ name: name.slice(prefix.length), ...rest }));
  }

  async probe(): Promise<void> {
    const name = `probe-${randomBytes(8).toString('hex')}`;
    const bytes = randomBytes(PROBE_BYTES);
    const read = ({ start, end }: ByteRange): Readable => Readable.from([bytes.subarray(start, end + 1)]);
    const signal = new AbortController().signal;
    await this.put(name, { size: bytes.length, changed: this.options.clock.utc(), read }, signal);
    try {
      const found = await this.find(name);
      const back = found && (await buffer(found.read({ start: 1, end: PROBE_BYTES - 1 })));
      if (!back?.equals(bytes.subarray(1))) throw new Error('what is read is not what was written');
    } finally {
      await this.remove(name);
    }
  }

  #key(name: string): string {
    return this.options.prefix + name;
  }

  async #head(name: string): Promise<IncomingHttpHeaders | undefined> {
    try {
      const answer = await this.options.client.ask({ method: 'HEAD', key: this.#key(name) });
      answer.resume();
      return answer.headers;
    } catch (error) {
      if (isGone(error)) return undefined;
      throw error;
    }
  }

  /**
   * Whether the object is what was read here: as long, told to be the same, and of the same MD5. Storages that encrypt, or make
   * tags in a way of their own, tell none: there it is read back and hashed.
   */
  async #isThere(name: string, bytes: number, { sha256, parts }: FileHashes): Promise<boolean> {
    const headers = await this.#head(name);
    if (!headers || Number(headers['content-length']) !== bytes) return false;
    if (headers['x-amz-meta-sha256'] !== sha256) return false;
    if (tagOf(headers) === entityTagOf(parts, parts.length > 1)) return true;
    const hash = createHash('sha256');
    const back = this.#read(name, { start: 0, end: bytes - 1 }, String(headers.etag ?? ''));
    for await (const piece of back) hash.update(piece);
    return hash.digest('hex') === sha256;
  }

  async #putWhole(name: string, file: ByteSource, { sha256, parts }: FileHashes, signal: AbortSignal): Promise<void> {
    const part = parts[0]!;
    const headers = { ...partHeaders(part), ...objectHeaders(sha256) };
    const answer = await this.options.client.ask({
      ...{ method: 'PUT', key: this.#key(name), headers, signal, body: bodyOf(file, part) },
    });
    answer.resume();
  }

  async #putInParts(name: string, file: ByteSource, { sha256, parts }: FileHashes, signal: AbortSignal): Promise<void> {
    const { client } = this.options;
    const key = this.#key(name);
    const begun = await client.askText({
      ...{ method: 'POST', key, query: { uploads: '' }, headers: objectHeaders(sha256), signal },
    });
    const uploadId = textIn(begun, 'UploadId');
    if (uploadId === undefined) throw new Error('the storage began no upload');
    try {
      const tags: string[] = [];
      for (const [index, part] of parts.entries()) {
        const query = { partNumber: String(index + 1), uploadId };
        tags.push(await this.#putPart(key, query, file, part, signal));
      }
      await client.askText({ method: 'POST', key, query: { uploadId }, body: completion(tags), signal });
    } catch (error) {
      await client.ask({ method: 'DELETE', key, query: { uploadId } }).then(
        (answer) => answer.resume(),
        () => undefined, // the first error is the one worth telling; a rule of the bucket clears what is left
      );
      throw error;
    }
  }

  /** @returns its entity tag. */
  async #putPart(
    key: string,
    query: Readonly<Record<string, string>>,
    file: ByteSource,
    part: HashedPart,
    signal: AbortSignal,
  ): Promise<string> {
    const { client, clock } = this.options;
    const request = {
      method: 'PUT',
      key,
      query,
      headers: partHeaders(part),
      body: bodyOf(file, part),
      signal,
    } as const;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const answer = await client.ask(request);
        answer.resume();
        return tagOf(answer.headers);
      } catch (error) {
        if (attempt >= PART_TRIES_MAX || signal.aborted || !mayPass(error)) throw error;
        await delay(clock, PART_RETRY_MS * 2 ** attempt, signal);
      }
    }
  }

  async *#read(name: string, { start, end }: ByteRange, tag: string): AsyncGenerator<Buffer> {
    let at = start;
    for (let attempt = 1; at <= end; attempt += 1) {
      try {
        const headers = { range: `bytes=${at}-${end}`, ...(tag !== '' && { 'if-match': tag }) };
        const answer = await this.options.client.ask({ method: 'GET', key: this.#key(name), headers });
        if (answer.statusCode !== 206) throw new S3Error(answer.statusCode ?? 0, 'NoRange', 'GET of an object');
        for await (const piece of answer) {
          at += (piece as Buffer).length;
          yield piece as Buffer;
        }
        if (at <= end) throw new Error('the storage broke off');
      } catch (error) {
        if (attempt >= READ_TRIES_MAX || !mayPass(error)) throw error;
      }
    }
  }
}

const bodyOf = (file: ByteSource, { start, bytes, sha256 }: HashedPart) => ({
  ...{ bytes, sha256 },
  open: () => (bytes === 0 ? Readable.from([]) : file.read({ start, end: start + bytes - 1 })),
});
/** The storage refuses what does not fit them (`BadDigest`, `XAmzContentSHA256Mismatch`). */
const partHeaders = ({ md5 }: HashedPart) => ({ 'content-md5': md5.toString('base64') });
const objectHeaders = (sha256: string) => ({
  ...{ 'content-type': 'application/octet-stream', 'x-amz-meta-sha256': sha256 },
});

const isGone = (error: unknown): boolean => error instanceof S3Error && error.status === 404;
/** Not what the storage has decided; `RequestTimeout` is a 400. */
const mayPass = (error: unknown): boolean =>
  !(error instanceof S3Error) ||
  error.status >= 500 ||
  [408, 429].includes(error.status) ||
  error.code === 'RequestTimeout';
