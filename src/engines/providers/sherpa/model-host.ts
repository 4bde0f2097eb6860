import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { errorText } from '../../../core/errors.ts';
import { Shortage } from '../../../core/shortage.ts';
import { workerUrl } from '../../../core/worker-url.ts';
import type { FromModel, ModelSetup, ToModel } from './process-protocol.ts';

/** Of what such a process makes in JavaScript: models are not in there. */
const PROCESS_FLAGS = ['--max-semi-space-size=2', '--max-old-space-size=128'];
/** The library's own words about a model that does not load; later ones may quote what is spoken, and are not kept. */
const TOLD_CHARS_MAX = 1_000;

/** A model's process, seen from the gateway. */
export interface ModelHost {
  readonly pid: number | undefined;
  post(message: ToModel): void;
  /** Asks it to end, which it does when it comes back from the library. */
  dismiss(): void;
  /** It is of no use any more, and may be stuck. */
  kill(): void;
  readonly over: Promise<void>;
  /** Whoever waits for it keeps this process alive meanwhile, and nobody else. @returns what lets go. */
  hold(): () => void;
}
export interface ModelHostEvents {
  heard(message: FromModel): void;
  /** It ended, asked or not, once. @param told - what its library said while it was loading. */
  gone(why: string, told: string): void;
}
export type StartModel = (setup: ModelSetup, events: ModelHostEvents) => ModelHost;

interface Referenced {
  ref(): unknown;
  unref(): unknown;
}

/** @throws Shortage when no process or descriptor is left. */
export const startModelProcess: StartModel = (setup, events) => {
  const main = fileURLToPath(workerUrl(import.meta.url, './sherpa-process-main'));
  const child = fork(main, [JSON.stringify(setup)], {
    ...{ execArgv: PROCESS_FLAGS, serialization: 'advanced', stdio: ['ignore', 'ignore', 'pipe', 'ipc'] },
  });
  let told = '';
  let loading = true;
  let ended = (): void => {};
  const over = new Promise<void>((resolve) => {
    ended = resolve;
  });
  let reported = false;
  const gone = (why: string): void => {
    ended();
    if (reported) return;
    reported = true;
    events.gone(why, told.trim());
  };
  child.on('error', (error) => gone(errorText(error)));
  child.once('exit', (code, killedBy) => gone(`its process ended with ${killedBy ?? code}`));
  // Without a free descriptor Node makes no channel and no pipe, whatever the types say, and tells why by an event.
  if (!child.connected || !child.channel || !child.stderr) throw new Shortage('no file descriptor for a model process');
  child.stderr.setEncoding('utf8').on('data', (piece: string) => {
    if (loading) told = (told + piece).slice(-TOLD_CHARS_MAX);
  });
  child.stderr.on('error', () => {}); // 'exit' follows
  const refs: readonly Referenced[] = [child.stderr as unknown as Referenced, child, child.channel];
  const letGo = (): void => {
    for (const one of refs) one.unref();
  };
  letGo();
  child.on('message', (message: FromModel) => {
    if (message.type === 'ready') {
      loading = false;
      told = '';
    }
    events.heard(message);
  });
  return {
    pid: child.pid,
    over,
    hold: () => {
      for (const one of refs) one.ref();
      return letGo;
    },
    post: (message) => {
      if (child.connected) child.send(message, () => {}); // a channel that broke: 'exit' follows
    },
    dismiss: () => {
      if (child.connected) child.disconnect();
    },
    kill: () => void child.kill('SIGKILL'),
  };
};
