import { readdirSync, readFileSync } from 'node:fs';
import type { Clock } from './clock.ts';
import { isShortage } from './shortage.ts';

/** What is under way needs these: 16 sentences spoken at once take three each, then files and the database. */
export const RESERVED_DESCRIPTORS = 64;
/** What one call or request opens at most: media and recording, or a connection and a process. */
const DESCRIPTORS_EACH = 4;
/** Counting takes the longer the more are open (0.4 ms for 1,000). */
const COUNTED_FOR_MS = 100;
/** Sooner where the estimate says that too few are left: most requests open nothing. */
const DOUBTED_FOR_MS = 10;
/** While so many are left nothing can use them up before the next count. */
const PLENTY = 2_048;
const PLENTY_FOR_MS = 2_000;

/** Descriptors that are open, and that may be; undefined where the system does not tell (not Linux). @throws where there is none left to look with. */
function countDescriptors(): { readonly open: number; readonly limit: number } | undefined {
  const limit = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
  return limit === undefined ? undefined : { open: readdirSync('/proc/self/fd').length, limit: Number(limit) };
}

/** As `countDescriptors`, for whoever only looks: undefined also where none is left to look with. */
export function descriptorCount(): { readonly open: number; readonly limit: number } | undefined {
  try {
    return countDescriptors();
  } catch {
    return undefined;
  }
}

/** How many more descriptors this process may open; undefined where the system does not tell (not Linux). */
export function descriptorsLeft(): number | undefined {
  try {
    const count = countDescriptors();
    return count && count.limit - count.open;
  } catch (error) {
    return isShortage(error) ? 0 : undefined;
  }
}

/** Says that a call or request has opened what it needs: from then on it is seen in a count. Only the first time means anything. */
export type OpenedAll = () => void;

/** Where calls and requests ask before they begin. */
export interface DescriptorSupply {
  /** Whether new work is refused. */
  readonly short: boolean;
  /** @returns undefined when one more cannot be served; else it is counted as begun. */
  take(): OpenedAll | undefined;
}

/**
 * Opens something that needs descriptors of `supply`.
 *
 * @returns what `open` does; `no-descriptors` where it was not even tried.
 */
export async function withDescriptors<T>(
  supply: Pick<DescriptorSupply, 'take'>,
  open: () => Promise<T>,
): Promise<T | 'no-descriptors'> {
  const openedAll = supply.take();
  if (!openedAll) return 'no-descriptors';
  try {
    return await open();
  } finally {
    openedAll();
  }
}

/**
 * Refuses new work while it can still be refused: a process that has used up its descriptors can neither accept the
 * connection it would answer nor let what it has already begun go on.
 */
export class Descriptors implements DescriptorSupply {
  #left = Number.POSITIVE_INFINITY;
  #countedMs = Number.NEGATIVE_INFINITY;
  /** Begun, and perhaps not open yet: a count does not see them, however long a busy machine takes. */
  #begun = 0;

  constructor(
    private readonly clock: Clock,
    private readonly count: () => number | undefined = descriptorsLeft,
  ) {}

  take(): OpenedAll | undefined {
    if (this.short) return undefined;
    this.#left -= DESCRIPTORS_EACH;
    this.#begun += 1;
    let isOpen = false;
    return () => {
      if (!isOpen) this.#begun -= 1;
      isOpen = true;
    };
  }

  get short(): boolean {
    const nowMs = this.clock.nowMs();
    if (nowMs - this.#countedMs >= this.#countHoldsMs()) {
      this.#countedMs = nowMs;
      this.#left = (this.count() ?? Number.POSITIVE_INFINITY) - this.#begun * DESCRIPTORS_EACH;
    }
    return this.#left < RESERVED_DESCRIPTORS;
  }

  #countHoldsMs(): number {
    if (this.#left > PLENTY) return PLENTY_FOR_MS;
    return this.#left < RESERVED_DESCRIPTORS ? DOUBTED_FOR_MS : COUNTED_FOR_MS;
  }
}
