import { readFileSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Seconds that files took on two quiet cores, of those that took five and more: a fresh tree has no run of its own to go by. */
export const DURATIONS: ReadonlyMap<string, number> = new Map(
  Object.entries(
    JSON.parse(readFileSync(new URL('durations.json', import.meta.url), 'utf8')) as Record<string, number>,
  ),
);

/** Whole gateways that are started again and again, and browsers: no second of theirs counts, and callers would hear them at work. */
export const BUSY_SCENARIOS = [
  ...['crash', 'outage', 'examples', 'descriptors', 'public-api', 'tokens-in-logs'],
  ...['reference-page', 'socket-browser', 'console-pages', 'console-journeys', 'console-talk'],
] as const;

/** What a file is taken to need of which nothing is known. */
const SHORT_S = 1;

/**
 * The longest first, for whatever is started last goes on alone; and whole gateways and browsers, which keep both cores busy, spread
 * evenly among those that mostly wait: all at once they would come too late for one another.
 */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = (await super.sort(files)).sort((one, other) => secondsOf(other) - secondsOf(one));
    const isBusy = (file: TestSpecification): boolean =>
      BUSY_SCENARIOS.some((name) => nameOf(file) === `scenarios/${name}`);
    return spread(
      sorted.filter(isBusy),
      sorted.filter((file) => !isBusy(file)),
      secondsOf,
    );
  }
}

const nameOf = ({ moduleId }: TestSpecification): string => /\/test\/(.+)\.test\.ts$/.exec(moduleId)?.[1] ?? '';
const secondsOf = (file: TestSpecification): number => DURATIONS.get(nameOf(file)) ?? SHORT_S;

/** What of the rest is begun when the last of those that are spread begins: after it nothing is left that would run beside it. */
const LAST_BY = 0.85;

/** Both in their order, so that of each as great a part of its seconds is begun as of the other, those of `first` before and sooner. */
export function spread<T>(first: readonly T[], second: readonly T[], seconds: (one: T) => number): T[] {
  const sum = (all: readonly T[]): number => all.reduce((total, one) => total + seconds(one), 0);
  const lanes = [
    { left: [...first], begun: 0, total: sum(first) / LAST_BY || 1 },
    { left: [...second], begun: 0, total: sum(second) || 1 },
  ];
  const merged: T[] = [];
  for (;;) {
    const waiting = lanes.filter(({ left }) => left.length > 0);
    const [lane] = waiting.sort((one, other) => one.begun / one.total - other.begun / other.total);
    const next = lane?.left.shift();
    if (!lane || next === undefined) return merged;
    lane.begun += seconds(next);
    merged.push(next);
  }
}
