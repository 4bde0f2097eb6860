import { mkdirSync, writeFileSync } from 'node:fs';
import type { Reporter, TestCase } from 'vitest/node';

/** Where `./scripts/check` finds the tests that passed or failed at a second try only; empty when there are none. */
const DEBTS_FILE = '.cache/retried.txt';

/** Writes down each test that was tried again: a debt, since what fails by chance says nothing the day it fails by fault. */
export default class DebtReporter implements Reporter {
  readonly #debts: string[] = [];

  onTestCaseResult(test: TestCase): void {
    const { retryCount = 0 } = test.diagnostic() ?? {};
    if (retryCount === 0) return;
    const [first] = test.result().errors ?? [];
    const reason = first?.message.replace(/\s+/g, ' ').slice(0, 600);
    this.#debts.push(`${test.module.relativeModuleId} > ${test.fullName}${reason ? `: ${reason}` : ''}`);
  }

  onTestRunEnd(): void {
    mkdirSync('.cache', { recursive: true });
    writeFileSync(DEBTS_FILE, this.#debts.map((line) => `${line}\n`).join(''));
  }
}
