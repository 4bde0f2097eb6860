import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../core/clock.ts';
import { errorText } from '../../core/errors.ts';
import type { Logger } from '../../core/logger.ts';
import { type TtsChunk, withMarks } from './contract.ts';

export interface SpeechCacheOptions {
  readonly folder: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Of all files together; the longest unused leave first. Default 256 MB: about 1.5 hours at 24 kHz. */
  readonly bytesMax?: number;
  /** What nobody asked for in this time is removed: it is somebody's words. Default 30 days. */
  readonly unusedMsMax?: number;
}

interface Entry {
  readonly bytes: number;
  readonly usedAtMs: number; // UTC
  readonly markedAtMs: number; // as its file says
}

const FILE_NAME = /^[0-9a-f]{64}\.pcm$/;
/**
 * Magic, 16 bytes of the SHA-256 of all that follows, the length of the marks (4 bytes, little endian), the marks (JSON, of an
 * even length), the samples (s16le).
 */
const MAGIC = Buffer.from('NSC2', 'latin1');
const DIGEST_BYTES = 16;
const LENGTH_BYTES = 4;
const HEAD_BYTES = MAGIC.length + DIGEST_BYTES;
/** A file longer than this would push too much else out. */
const FILE_BYTES_MAX = 8 * 1024 * 1024;
const WRITES_AT_ONCE = 4;
/** A greeting is said twenty times a second: on disk it is marked as used that often. */
const MARK_EVERY_MS = 60_000;
/** Sentences that are being said and found in memory by who says them, too. */
const SHARED_MAX = 1_024;

/**
 * Speech on disk, by everything that shapes its sound. Bounded in bytes and in age. Safe at any crash: a file appears whole
 * under its name, carries a digest of its samples, and is removed when the two do not agree. In memory a sentence is there once
 * for all who say it now, and only for as long: a hundred callers greeted at once hear one greeting, of 150 KB.
 */
export class SpeechCache {
  readonly counters = { hits: 0, misses: 0, writes: 0, skipped: 0, damaged: 0 };
  readonly #entries = new Map<string, Entry>(); // the longest unused first
  /** What somebody says now, as far as it is known. */
  readonly #shared = new Map<string, WeakRef<TtsChunk>>();
  readonly #reading = new Map<string, Promise<TtsChunk | undefined>>();
  #bytes = 0;
  #writing = 0;

  private constructor(private readonly options: Required<SpeechCacheOptions>) {}

  /** Reads what is in the folder; half-written files of an earlier run are removed. */
  static async open(options: SpeechCacheOptions): Promise<SpeechCache> {
    const cache = new SpeechCache({ bytesMax: 256 * 1024 * 1024, unusedMsMax: 30 * 86_400_000, ...options });
    await cache.#read();
    return cache;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** The samples, with their marks, are also others': not to be changed. */
  async get(key: string): Promise<TtsChunk | undefined> {
    const name = fileName(key);
    if (!this.#entries.has(name)) return this.#miss();
    const samples = this.#shared.get(name)?.deref() ?? (await this.#readOnce(name));
    if (!samples) return this.#miss();
    this.#touch(name, this.#entries.get(name)?.bytes ?? HEAD_BYTES + samples.byteLength);
    this.counters.hits += 1;
    return samples;
  }

  /** Who asks while it is read waits for the same samples. */
  #readOnce(name: string): Promise<TtsChunk | undefined> {
    let reading = this.#reading.get(name);
    if (!reading) {
      reading = this.#readFile(name).finally(() => this.#reading.delete(name));
      this.#reading.set(name, reading);
    }
    return reading;
  }

  async #readFile(name: string): Promise<TtsChunk | undefined> {
    const file = await readFile(join(this.options.folder, name)).catch(() => undefined);
    const samples = file && samplesOf(file);
    if (samples) {
      this.#share(name, samples);
      return samples;
    }
    this.counters.damaged += 1;
    await this.#remove(name);
    return undefined;
  }

  #share(name: string, samples: TtsChunk): void {
    this.#shared.set(name, new WeakRef(samples));
    if (this.#shared.size <= SHARED_MAX) return;
    for (const [other, held] of this.#shared) if (!held.deref()) this.#shared.delete(other);
    const oldest = this.#shared.keys().next().value;
    if (this.#shared.size > SHARED_MAX && oldest !== undefined) this.#shared.delete(oldest);
  }

  /** Keeps `samples`. Never fails: a full disk costs a log line, and the next request synthesises again. */
  async put(key: string, samples: TtsChunk): Promise<void> {
    const body = bodyOf(samples);
    const bytes = HEAD_BYTES + body.length;
    if (bytes > FILE_BYTES_MAX || bytes > this.options.bytesMax || this.#writing >= WRITES_AT_ONCE) {
      this.counters.skipped += 1;
      return;
    }
    this.#writing += 1;
    const name = fileName(key);
    const temporary = join(this.options.folder, `${name}.${randomBytes(6).toString('hex')}.part`);
    try {
      await writeFile(temporary, Buffer.concat([MAGIC, digest(body), body]), { mode: 0o600 });
      await rename(temporary, join(this.options.folder, name));
      this.#shared.delete(name);
      this.#touch(name, bytes, true);
      this.counters.writes += 1;
      await this.#evict();
    } catch (error) {
      this.options.logger.warn({ error: errorText(error) }, 'speech was not cached');
      await rm(temporary, { force: true }).catch(() => {});
    } finally {
      this.#writing -= 1;
    }
  }

  async #read(): Promise<void> {
    const { folder } = this.options;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const found: { readonly name: string; readonly entry: Entry }[] = [];
    for (const name of await readdir(folder)) {
      if (name.endsWith('.part')) await rm(join(folder, name), { force: true });
      if (!FILE_NAME.test(name)) continue;
      const { size, mtimeMs } = await stat(join(folder, name));
      found.push({ name, entry: { bytes: size, usedAtMs: mtimeMs, markedAtMs: mtimeMs } });
    }
    found.sort((a, b) => a.entry.usedAtMs - b.entry.usedAtMs);
    for (const { name, entry } of found) {
      this.#entries.set(name, entry);
      this.#bytes += entry.bytes;
    }
    await this.#evict();
  }

  #miss(): undefined {
    this.counters.misses += 1;
    return undefined;
  }

  #touch(name: string, bytes: number, isWritten = false): void {
    const now = this.options.clock.utc();
    const nowMs = now.getTime();
    const { bytes: before = 0, markedAtMs = 0 } = this.#entries.get(name) ?? {};
    const marks = isWritten || Math.abs(nowMs - markedAtMs) >= MARK_EVERY_MS;
    this.#bytes += bytes - before;
    this.#entries.delete(name);
    this.#entries.set(name, { bytes, usedAtMs: nowMs, markedAtMs: marks ? nowMs : markedAtMs });
    if (!marks) return;
    // So that the order outlives a restart; it does not matter when it fails.
    utimes(join(this.options.folder, name), now, now).catch(() => {});
  }

  async #evict(): Promise<void> {
    const { bytesMax, unusedMsMax, clock } = this.options;
    const oldestMs = clock.utc().getTime() - unusedMsMax;
    for (const [name, entry] of this.#entries) {
      if (this.#bytes <= bytesMax && entry.usedAtMs >= oldestMs) return;
      await this.#remove(name);
    }
  }

  async #remove(name: string): Promise<void> {
    this.#bytes -= this.#entries.get(name)?.bytes ?? 0;
    this.#entries.delete(name);
    this.#shared.delete(name);
    await rm(join(this.options.folder, name), { force: true }).catch(() => {});
  }
}

const fileName = (key: string): string => `${createHash('sha256').update(key).digest('hex')}.pcm`;
const digest = (body: Buffer): Buffer => createHash('sha256').update(body).digest().subarray(0, DIGEST_BYTES);

function bodyOf(samples: TtsChunk): Buffer {
  const written = JSON.stringify(
    (samples.marks ?? []).map(({ charStart, charEnd, atMs }) => [charStart, charEnd, atMs]),
  );
  const marks = Buffer.from(written.length % 2 === 0 ? written : `${written} `, 'latin1');
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(marks.length);
  return Buffer.concat([length, marks, Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength)]);
}

function samplesOf(file: Buffer): TtsChunk | undefined {
  if (
    file.length < HEAD_BYTES + LENGTH_BYTES + 2 ||
    file.length % 2 !== 0 ||
    !file.subarray(0, MAGIC.length).equals(MAGIC)
  ) {
    return undefined;
  }
  const body = file.subarray(HEAD_BYTES);
  if (!digest(body).equals(file.subarray(MAGIC.length, HEAD_BYTES))) return undefined;
  // The digest is right: these are our own words.
  const from = LENGTH_BYTES + body.readUInt32LE(0);
  const marks = JSON.parse(body.toString('latin1', LENGTH_BYTES, from)) as [number, number, number][];
  const start = body.byteOffset + from;
  const samples =
    start % 2 === 0
      ? new Int16Array(body.buffer, start, (body.length - from) / 2)
      : new Int16Array(body.buffer.slice(start, body.byteOffset + body.length));
  return withMarks(
    samples,
    marks.map(([charStart, charEnd, atMs]) => ({ charStart, charEnd, atMs })),
  );
}
