import type { Clock } from '../../../core/clock.ts';
import { type StartModel, startModelProcess } from './model-host.ts';
import type { ModelSetup } from './process-protocol.ts';

export interface LoadedOnce {
  readonly memoryMb: number; // of its process
  readonly loadMs: number;
}

/** Loads a model in a process that ends at once, to see that it loads and what it takes. @throws Error with what its library says. */
export async function loadOnce(
  setup: ModelSetup,
  clock: Clock,
  limitMs: number,
  start: StartModel = startModelProcess,
): Promise<LoadedOnce> {
  const startMs = clock.nowMs();
  let settle: { done(loaded: LoadedOnce): void; failed(error: Error): void } | undefined;
  const loaded = new Promise<LoadedOnce>((done, failed) => {
    settle = { done, failed };
  });
  const host = start(setup, {
    heard: (message) => {
      if (message.type === 'unable') settle?.failed(new Error(message.why));
      if (message.type === 'ready') {
        settle?.done({ memoryMb: message.memoryMb, loadMs: Math.round(clock.nowMs() - startMs) });
      }
    },
    gone: (why, told) => settle?.failed(new Error(told === '' ? why : `${why}: ${told}`)),
  });
  const letGo = host.hold();
  const late = clock.setTimer(limitMs, () => settle?.failed(new Error(`it was not loaded in ${limitMs / 1000} s`)));
  try {
    return await loaded;
  } finally {
    clock.clearTimer(late);
    host.kill();
    await host.over;
    letGo();
  }
}
