import type { Clock } from '../core/clock.ts';
import { randomToken } from '../core/ids.ts';

/** Something that has just happened. `data` may be personal. */
export interface LiveEvent {
  readonly id: string;
  readonly type: LiveType;
  /** Whom it is for; everybody's where it is undefined. */
  readonly accountId: string | undefined;
  readonly data: Readonly<Record<string, unknown>>;
}

export const LIVE_TYPES = [
  'call.started',
  'call.answered',
  'call.turn',
  'call.ended',
  'order.changed',
  'trunk.changed',
  'alert',
] as const;
/** They pass: nobody who comes back is told of them again. */
export const PASSING_TYPES = ['call.interim', 'call.levels'] as const;
export type LiveType = (typeof LIVE_TYPES)[number] | (typeof PASSING_TYPES)[number];

/** Follows the feed. Never throws, and returns at once. */
export type LiveReader = (event: LiveEvent) => void;

/** Remembered for those who come back: some minutes of a busy gateway. */
const KEPT_MAX = 2_000;
export const READERS_MAX = { account: 20, all: 500 } as const;

interface Registered {
  readonly accountId: string;
  readonly end: () => void;
  readonly interim: boolean;
}

/** What goes on in this gateway, as it happens, for whoever looks on; the latest is remembered, for readers that come back. */
export class LiveFeed {
  readonly #epoch = randomToken(4); // Another process has other numbers.
  #next = 1;
  #kept: LiveEvent[] = [];
  readonly #readers = new Map<LiveReader, Registered>();

  #interimReaders = 0;

  constructor(private readonly clock: Pick<Clock, 'utc'>) {}

  publish(type: LiveType, accountId: string | undefined, data: LiveEvent['data']): void {
    const id = `${this.#epoch}-${this.#next}`;
    this.#next += 1;
    const event = { id, type, accountId, data: { at: this.clock.utc().toISOString(), ...data } };
    this.#kept.push(event);
    if (this.#kept.length > 2 * KEPT_MAX) this.#kept = this.#kept.slice(-KEPT_MAX);
    for (const [reader, { accountId: of }] of this.#readers) if (isFor(event, of)) reader(event);
  }

  /** Told to those who asked for words as they are recognised, and kept by nobody. @returns at once where there is none. */
  interim(accountId: string, data: LiveEvent['data']): void {
    if (this.#interimReaders === 0) return;
    const event: LiveEvent = { id: '', type: 'call.interim', accountId, data };
    for (const [reader, { accountId: of, interim }] of this.#readers) if (interim && of === accountId) reader(event);
  }

  /**
   * @param last - id of the last event that the reader has seen.
   * @param end - called when the feed closes.
   * @returns what was missed, `lost` where that is not known any more; `full` where too many read already.
   */
  open(
    accountId: string,
    last: string | undefined,
    reader: LiveReader,
    end: () => void,
    interim = false,
  ): { readonly missed: readonly LiveEvent[] | 'lost'; readonly close: () => void } | 'full' {
    const ofAccount = [...this.#readers.values()].filter((one) => one.accountId === accountId).length;
    if (ofAccount >= READERS_MAX.account || this.#readers.size >= READERS_MAX.all) return 'full';
    const missed = last === undefined ? [] : this.#since(last);
    this.#readers.set(reader, { accountId, end, interim });
    if (interim) this.#interimReaders += 1;
    const mine = missed === 'lost' ? missed : missed.filter((event) => isFor(event, accountId));
    const close = (): void => {
      if (this.#readers.delete(reader) && interim) this.#interimReaders -= 1;
    };
    return { missed: mine, close };
  }

  get readers(): number {
    return this.#readers.size;
  }

  /** Ends every reader. Idempotent. */
  close(): void {
    for (const { end } of this.#readers.values()) end();
    this.#readers.clear();
    this.#interimReaders = 0;
  }

  #since(last: string): readonly LiveEvent[] | 'lost' {
    const [epoch, number] = last.split('-');
    const seen = Number(number);
    if (epoch !== this.#epoch || !Number.isInteger(seen) || seen >= this.#next) return 'lost';
    const first = this.#next - this.#kept.length;
    return seen + 1 < first ? 'lost' : this.#kept.slice(seen + 1 - first);
  }
}

const isFor = ({ accountId: of }: LiveEvent, accountId: string): boolean => of === undefined || of === accountId;
