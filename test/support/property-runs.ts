/** `npm run test:long`: every property with all of its runs. */
export const LONG = process.env['NIDAA_TEST_LONG'] === '1';
/**
 * What `npm test` leaves to a long run, to attacks and to `npm run mutate`: further peers, services and looks of what it tries with one of
 * them, and what takes minutes by its nature.
 */
export const EVERY_TEST = LONG || process.env['NIDAA_TEST_HOSTILE'] === '1' || process.env['NIDAA_TEST_EVERY'] === '1';
/** A property that breaks is mostly seen by then: fast-check begins with small and odd values. */
const RUNS_MIN = 30;
/** Of the tries of a long run, one in so many. */
const RUNS_SHARE = 40;

/** How often a property is tried: `all` times in a long run, else a fortieth of them, at least 30 where there are as many. */
export function runs(all: number): number {
  return LONG ? all : Math.min(all, Math.max(RUNS_MIN, Math.ceil(all / RUNS_SHARE)));
}

/** Of many rows that try one thing, each in a long run, else one in `each`, from all over the set. */
export function someOf<T>(rows: readonly T[], each: number): readonly T[] {
  return EVERY_TEST ? rows : rows.filter((_, at) => at % each === 0);
}

/** Of rows that each of many peers is held to, every other one of each peer, and with the next peer those that this one was spared. */
export const isInTurn = (row: number, peer: number): boolean => EVERY_TEST || (row + peer) % 2 === 0;
