import { readFileSync } from 'node:fs';

/** The main thread of a process, on a machine that others use too: how long it ran, and how long it waited for a core meanwhile. */
export class MainThread {
  readonly #before: readonly number[];
  constructor(private readonly pid: number | undefined) {
    this.#before = this.#seconds();
  }

  /** Since it was made. */
  get told(): string {
    const [ranS, waitedS] = this.#seconds().map((seconds, at) => (seconds - this.#before[at]!).toFixed(1));
    return `its main thread ran ${ranS} s and waited ${waitedS} s for a core`;
  }

  #seconds(): readonly number[] {
    const text = readFileSync(`/proc/${this.pid}/task/${this.pid}/schedstat`, 'utf8');
    return text.split(' ', 2).map((ns) => Number(ns) / 1e9);
  }
}
