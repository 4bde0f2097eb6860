import {
  closeSync,
  fdatasync,
  fdatasyncSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { errorText } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';

/** A fact and its place in the journal; numbers rise by one and never restart while facts are pending. */
export interface JournalEntry<F> {
  readonly sequence: number;
  readonly fact: F;
}

interface Segment {
  readonly path: string;
  readonly fd: number;
  readonly firstSequence: number;
  bytes: number;
  lastSequence: number;
}

/** A segment that is full is closed, and removed once everything in it was applied. */
const SEGMENT_BYTES_MAX = 4 * 1024 * 1024;
/** A short file is left alone when nothing is pending: applying its facts again does nothing. */
const IDLE_BYTES_MAX = 256 * 1024;
const SEGMENT_NAME = /^charges-(\d{8})\.journal$/;

/**
 * Facts about money on disk until the database has them. One line a fact, `<crc32 hex> <json>`: a line torn by a power cut
 * is recognised and left out. A line is in the kernel's hands when `append` returns, so that a killed process loses nothing;
 * `flush` waits until it is on the disk too.
 */
export class ChargeJournal<F> {
  /** Facts found at `open`, in order: from before a crash, or from when the database was away. */
  readonly found: readonly JournalEntry<F>[];
  readonly counters = { torn: 0, unwritten: 0 };
  #segments: Segment[] = [];
  #nextSequence: number;
  #nextSegment: number;
  #appliedSequence = 0;
  #keptFrom = Number.POSITIVE_INFINITY;
  #syncing: Promise<void> | undefined;
  #syncAgain: Promise<void> | undefined;
  #closed = false;

  /** @param folder - made when missing; belongs to one process (see the lock in `Billing.open`). */
  constructor(
    private readonly folder: string,
    private readonly logger: Logger,
  ) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const names = readdirSync(folder).filter((name) => SEGMENT_NAME.test(name));
    const found: JournalEntry<F>[] = [];
    for (const name of names.sort()) {
      const path = join(folder, name);
      const firstSequence = found.length + 1;
      for (const fact of this.#read(path)) found.push({ sequence: found.length + 1, fact });
      const fd = openSync(path, 'a');
      this.#segments.push({ path, fd, firstSequence, bytes: SEGMENT_BYTES_MAX, lastSequence: found.length });
    }
    this.found = found;
    this.#nextSequence = found.length + 1;
    this.#nextSegment = Number(SEGMENT_NAME.exec(names.at(-1) ?? '')?.[1] ?? 0) + 1;
    if (found.length === 0) this.applied(0);
  }

  /**
   * Writes one fact.
   *
   * @returns its number; also when the disk refused it (full), which is counted: it then lives in memory only.
   */
  append(fact: F): number {
    const sequence = this.#nextSequence++;
    const json = JSON.stringify(fact);
    const line = Buffer.from(`${crc32(json).toString(16).padStart(8, '0')} ${json}\n`);
    let segment: Segment | undefined;
    try {
      segment = this.#writable();
      const written = writeSync(segment.fd, line);
      if (written !== line.length) throw new Error('disk full');
      segment.bytes += line.length;
      segment.lastSequence = sequence;
      void this.flush();
    } catch (error) {
      this.counters.unwritten += 1;
      if (segment) this.#cutBack(segment);
      this.logger.error(
        { error: errorText(error), unwritten: this.counters.unwritten },
        'charge could not be written to the journal',
      );
    }
    return sequence;
  }

  /** Resolves when everything appended so far is on the disk, or the disk has refused (logged). Never rejects. */
  flush(): Promise<void> {
    if (!this.#syncing) {
      this.#syncing = this.#sync();
      return this.#syncing;
    }
    // One under way may have begun before our line: one more after it covers everybody who waits.
    this.#syncAgain ??= this.#syncing.then(() => {
      this.#syncAgain = undefined;
      this.#syncing = this.#sync();
      return this.#syncing;
    });
    return this.#syncAgain;
  }

  /** The database has every fact up to `sequence`: files that hold nothing else go. */
  applied(sequence: number): void {
    this.#appliedSequence = Math.min(Math.max(this.#appliedSequence, sequence), this.#keptFrom - 1);
    const current = this.#segments.at(-1);
    for (const segment of this.#segments.slice()) {
      if (segment.lastSequence > this.#appliedSequence) break;
      if (segment === current && segment.bytes < IDLE_BYTES_MAX) break;
      this.#remove(segment);
    }
  }

  /** Removes every file that has nothing but what the database has, the last one too: what was said stays in none of them. */
  forgetApplied(): void {
    const current = this.#segments.at(-1);
    this.applied(this.#appliedSequence);
    if (current && current.bytes > 0 && current.lastSequence <= this.#appliedSequence) this.#remove(current);
  }

  /** Has the file that is written to go as soon as the database has it, however much is added meanwhile. @returns the last number so far. */
  turnOver(): number {
    this.forgetApplied();
    const current = this.#segments.at(-1);
    if (current && current.bytes > 0) current.bytes = SEGMENT_BYTES_MAX;
    return this.#nextSequence - 1;
  }

  /** Whether no file has anything up to `sequence` any more. */
  isGone(sequence: number): boolean {
    return this.#segments.every(({ firstSequence, bytes }) => firstSequence > sequence || bytes === 0);
  }

  /** Facts from `sequence` on are left for the next start, whatever is applied meanwhile. */
  keepFrom(sequence: number): void {
    this.#keptFrom = Math.min(this.#keptFrom, sequence);
  }

  /** Closes the files; with everything applied nothing is left of them. Idempotent. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.flush();
    await this.#syncing;
    for (const segment of this.#segments.slice()) {
      if (segment.lastSequence <= this.#appliedSequence) this.#remove(segment);
      else closeSync(segment.fd);
    }
    this.#segments = [];
  }

  #writable(): Segment {
    const current = this.#segments.at(-1);
    if (current && current.bytes < SEGMENT_BYTES_MAX) return current;
    if (current) fdatasyncSync(current.fd); // From here on `flush` looks at the new file only.
    const path = join(this.folder, `charges-${String(this.#nextSegment++).padStart(8, '0')}.journal`);
    const lastSequence = this.#nextSequence - 1; // whoever asks has taken a number
    const segment = { path, fd: openSync(path, 'a', 0o600), firstSequence: lastSequence, bytes: 0, lastSequence };
    this.#segments.push(segment);
    this.#syncFolder(); // A new file's name must survive a power cut as well.
    return segment;
  }

  #remove(segment: Segment): void {
    this.#segments = this.#segments.filter((other) => other !== segment);
    closeSync(segment.fd);
    rmSync(segment.path, { force: true });
  }

  /** A line that was half written would spoil the one after it. */
  #cutBack(segment: Segment): void {
    try {
      ftruncateSync(segment.fd, segment.bytes);
    } catch {
      segment.bytes = SEGMENT_BYTES_MAX; // Nothing more into this file; its last line is torn and will be left out.
    }
  }

  #sync(): Promise<void> {
    const segment = this.#segments.at(-1);
    if (!segment) {
      this.#syncing = undefined;
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      fdatasync(segment.fd, (error) => {
        // A removed segment's descriptor is closed (EBADF): what it held is in the database.
        if (error && error.code !== 'EBADF')
          this.logger.error({ error: error.message }, 'journal of charges could not be synced');
        this.#syncing = undefined;
        resolve();
      });
    });
  }

  #syncFolder(): void {
    const fd = openSync(this.folder, 'r');
    fsyncSync(fd);
    closeSync(fd);
  }

  #read(path: string): F[] {
    const facts: F[] = [];
    for (const line of readFileSync(path, 'utf8').split('\n')) {
      if (line === '') continue;
      const [sum, json] = [line.slice(0, 8), line.slice(9)];
      if (json !== '' && Number.parseInt(sum, 16) === crc32(json)) facts.push(JSON.parse(json) as F);
      else this.counters.torn += 1;
    }
    if (this.counters.torn > 0) this.logger.warn({ torn: this.counters.torn }, 'journal of charges has torn lines');
    return facts;
  }
}
