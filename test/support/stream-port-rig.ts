import { CallTicker } from '../../src/call/call-ticker.ts';
import type { MediaEvent } from '../../src/media/media-port.ts';
import { StreamPort, type StreamPortDeps } from '../../src/streams/stream-port.ts';
import { FakeClock } from './fake-clock.ts';
import { MEDIA } from './fake-leg.ts';
import { LogCapture } from './log-capture.ts';

export const QUEUE_MS = 4_000;

/** A far end that has what was sent in store, and plays it at the pace of time. */
export function streamPortRig(changes: Partial<StreamPortDeps> = {}) {
  const clock = new FakeClock();
  const log = new LogCapture();
  const events: MediaEvent[] = [];
  const far = {
    ready: true,
    cleared: 0,
    keys: '',
    frames: [] as { samples: Int16Array; atMs: number }[],
    marks: [] as { name: string; atMs: number }[],
  };
  const recorded = { said: 0, heard: 0, silent: 0, path: '', stopped: false };
  const port = new StreamPort({
    ...{ callId: 'call_test', onEvent: (event) => events.push(event), codec: 'L16', inputRateHz: 8000 },
    ...{ local: { address: '127.0.0.1', port: 1 }, remote: { address: '127.0.0.1', port: 2 } },
    output: {
      get ready() {
        return far.ready;
      },
      audio: (frame) => far.frames.push({ samples: frame.slice(), atMs: clock.nowMs() }),
      mark: (name) => far.marks.push({ name, atMs: clock.nowMs() }),
      clear: () => {
        far.cleared += 1;
      },
      keys: (digits) => {
        far.keys += digits;
        return 'sent';
      },
    },
    recorder: {
      start: (path: string) => {
        recorded.path = path;
        return {
          said: () => {
            recorded.said += 1;
          },
          heard: (frame?: Int16Array) => {
            recorded.heard += 1;
            if (!frame?.some((sample) => sample !== 0)) recorded.silent += 1;
          },
          stop: async () => {
            recorded.stopped = true;
          },
        };
      },
      close: async () => {},
    },
    ...{ clock, logger: log.logger, queueMs: QUEUE_MS, timeoutMs: 30_000 },
    ...changes,
  });
  const ticker = new CallTicker(clock, log.logger);
  const ticking = { tick: () => port.tick(), broken: () => {} };
  ticker.add(ticking);
  port.configure(MEDIA);
  return { port, clock, far, events, recorded, log };
}

export const joined = (frames: readonly { readonly samples: Int16Array }[]): Int16Array =>
  Int16Array.from(frames.flatMap(({ samples }) => [...samples]));
