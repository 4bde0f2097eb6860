import { writeFileSync } from 'node:fs';
import type { Clock } from '../../core/clock.ts';
import { errorText, OperatorError } from '../../core/errors.ts';
import { onWire, type WireMessage } from '../../engines/providers/wire.ts';

/** Of one message: the whole of what services say, and the first of a file. */
const TEXT_CHARS_MAX = 20_000;
const HEAD_BYTES = 32;
const MESSAGES_MAX = 20_000;
const KEY_MARK = '[key]';

/**
 * What goes over the wire between a service and this process from now on, a line of JSON each, as it is to be compared with what a
 * stand-in does: times, texts whole, sound by its length and first bytes. Headers are not kept, and the key nowhere.
 */
export class KeptSession {
  readonly #lines: string[] = [];
  readonly #startMs: number;
  readonly #stop: () => void;

  /** @param secrets - never written down, wherever they stand. */
  constructor(
    private readonly clock: Clock,
    private readonly secrets: readonly string[],
  ) {
    this.#startMs = clock.nowMs();
    this.#stop = onWire((message) => this.#take(message));
  }

  /** @returns how many messages. @throws OperatorError where the file cannot be written. */
  writeTo(file: string): number {
    try {
      writeFileSync(file, this.#lines.map((line) => `${line}\n`).join(''), { mode: 0o600 });
    } catch (error) {
      throw new OperatorError(`--keep: ${errorText(error)}`);
    }
    return this.#lines.length;
  }

  close(): void {
    this.#stop();
  }

  #take({ line, direction, kind, about, data }: WireMessage): void {
    if (this.#lines.length >= MESSAGES_MAX) return;
    const at_ms = Math.round(this.clock.nowMs() - this.#startMs);
    const what =
      typeof data === 'string'
        ? { text: data.slice(0, TEXT_CHARS_MAX) }
        : data && { bytes: data.length, begins: Buffer.from(data.subarray(0, HEAD_BYTES)).toString('hex') };
    let written = JSON.stringify({ at_ms, line, direction, kind, ...(about !== undefined && { about }), ...what });
    for (const secret of this.secrets) written = written.replaceAll(JSON.stringify(secret).slice(1, -1), KEY_MARK);
    this.#lines.push(written);
  }
}
