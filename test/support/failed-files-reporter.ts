import { mkdirSync, writeFileSync } from 'node:fs';
import type { SerializedError } from 'vitest';
import type { Reporter, TestModule } from 'vitest/node';

/** Where `./scripts/check` finds which files failed, one a line; empty where a second run of them would prove nothing. */
const FAILED_FILES = '.cache/failed-files.txt';
/** What failed in them, and why. */
const FAILURES = '.cache/failures.txt';

/** Writes down what failed. An error outside of all tests belongs to none of the files, so none of them is run again then. */
export default class FailedFilesReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const failed = modules.filter((module) => !module.ok());
    mkdirSync('.cache', { recursive: true });
    writeFileSync(FAILED_FILES, unhandled.length > 0 ? '' : lines(failed.map((module) => module.relativeModuleId)));
    writeFileSync(FAILURES, lines(failed.flatMap(failuresOf)));
  }
}

function failuresOf(module: TestModule): string[] {
  const suites = [module, ...module.children.allSuites()];
  const ofSuites = suites.flatMap((suite) =>
    suite.errors().map((error) => ({ name: 'fullName' in suite ? suite.fullName : 'whole', error })),
  );
  const ofTests = [...module.children.allTests('failed')].map((test) => ({
    name: test.fullName,
    error: test.result().errors?.[0],
  }));
  return [...ofSuites, ...ofTests].map(({ name, error }) => {
    const reason = error?.message.replace(/\s+/g, ' ').slice(0, 600) ?? 'no reason';
    return `${module.relativeModuleId} > ${name}: ${reason}`;
  });
}

function lines(all: readonly string[]): string {
  return all.map((line) => `${line}\n`).join('');
}
