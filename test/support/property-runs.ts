/** `npm run test:long`: every property with all of its runs. */
export const LONG = process.env['NIDAA_TEST_LONG'] === '1';
/**
 * What `npm test` leaves to a long run, to attacks and to `npm run mutate`: further peers, services and looks of what it tries with one of
 * them, and what takes minutes by its nature.
 */
export const EVERY_TEST = LONG || process.env['NIDAA_TEST_HOSTILE'] === '1' || process.env['NIDAA_TEST_EVERY'] === '1';
/** fast-check's own number: a property below it is as cheap as its set-up. */
const RUNS_MIN = 100;

/** How often a property is tried: `all` times in a long run, else a tenth of them, at least 100 where there are as many. */
export function runs(all: number): number {
  return LONG ? all : Math.min(all, Math.max(RUNS_MIN, Math.ceil(all / 10)));
}
