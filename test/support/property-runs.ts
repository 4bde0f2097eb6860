/** `npm run test:long`: every property with all of its runs. */
export const LONG = process.env['NIDAA_TEST_LONG'] === '1';
/** fast-check's own number: a property below it is as cheap as its set-up. */
const RUNS_MIN = 100;

/** How often a property is tried: `all` times in a long run, else a tenth of them, at least 100 where there are as many. */
export function runs(all: number): number {
  return LONG ? all : Math.min(all, Math.max(RUNS_MIN, Math.ceil(all / 10)));
}
