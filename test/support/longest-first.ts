import { readFileSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Seconds that files took on two quiet cores, of those that took five and more: a fresh tree has no run of its own to go by. */
export const DURATIONS: ReadonlyMap<string, number> = new Map(
  Object.entries(
    JSON.parse(readFileSync(new URL('durations.json', import.meta.url), 'utf8')) as Record<string, number>,
  ),
);
/** Sums begin behind the longest calls, all in a row: a worker serves one project, and would be started for each of them. */
const SUMS_AT_S = 15;

/** The longest first: whatever is started last goes on alone. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const seconds = ({ moduleId, project }: TestSpecification): number => {
      const own = DURATIONS.get(/\/test\/(.+)\.test\.ts$/.exec(moduleId)?.[1] ?? '') ?? 0;
      return project.name === 'sums' ? SUMS_AT_S + own / 1_000 : own;
    };
    return (await super.sort(files)).sort((one, other) => seconds(other) - seconds(one));
  }
}
