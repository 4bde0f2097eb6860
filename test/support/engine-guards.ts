import { silentLogger } from '../../src/core/logger.ts';
import { createMetrics } from '../../src/core/metrics.ts';
import { type Capability, EngineGuard, type EngineLimits } from '../../src/engines/guard.ts';
import { FakeClock } from './fake-clock.ts';

export const TEST_LIMITS: EngineLimits = {
  firstResultMs: 1000,
  totalMs: 5000,
  concurrency: 2,
  queue: 2,
  breakerFailures: 3,
  breakerCooldownMs: 10_000,
};

export function testGuard(
  limits: Partial<EngineLimits> = {},
  capability: Capability = 'tts',
  place?: 'remote',
  clock = new FakeClock(),
) {
  const metrics = createMetrics();
  const guard = new EngineGuard(
    capability,
    'fake',
    { ...TEST_LIMITS, ...limits },
    { clock, metrics, logger: silentLogger },
    place,
  );
  const errors = async (kind: string): Promise<number> => {
    const { values } = await metrics.engineErrors.get();
    return values.find((value) => value.labels.kind === kind)?.value ?? 0;
  };
  return { clock, metrics, guard, errors };
}

/** Lets promise callbacks run; no time passes. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 500; i += 1) await Promise.resolve();
}

/** A source of results that a test drives by hand. */
export class HandSource<T> {
  readonly #steps: ({ value: T } | { error: unknown } | { done: true })[] = [];
  #wake: () => void = () => {};
  started = 0;
  taken = 0;
  left = false; // the consumer said that it will not come back
  signal: AbortSignal | undefined;

  give(...values: T[]): this {
    for (const value of values) this.#steps.push({ value });
    this.#wake();
    return this;
  }
  fail(error: unknown): this {
    this.#steps.push({ error });
    this.#wake();
    return this;
  }
  end(): this {
    this.#steps.push({ done: true });
    this.#wake();
    return this;
  }
  /** Ignores its signal, like the worst of engines. */
  start = async function* (this: HandSource<T>, signal: AbortSignal): AsyncGenerator<T> {
    this.started += 1;
    this.signal = signal;
    try {
      for (;;) {
        const step = this.#steps.shift();
        if (!step) {
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
          continue;
        }
        if ('done' in step) return;
        if ('error' in step) throw step.error;
        this.taken += 1;
        yield step.value;
      }
    } finally {
      this.left = true;
    }
  }.bind(this);
}

/** What an iteration came to. */
export async function outcomeOf<T>(results: AsyncIterable<T>): Promise<{ results: T[]; error?: unknown }> {
  const got: T[] = [];
  try {
    for await (const result of results) got.push(result);
    return { results: got };
  } catch (error) {
    return { results: got, error };
  }
}
