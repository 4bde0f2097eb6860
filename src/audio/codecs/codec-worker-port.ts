import { parentPort, type TransferListItem } from 'node:worker_threads';

export interface Answered {
  readonly answer: unknown;
  readonly transfer: readonly TransferListItem[];
}

/** The thread's side of a `CodecThread`: one request after the other, in order of arrival. */
export function answerRequests(handle: (request: unknown) => Promise<Answered> | Answered): void {
  const port = parentPort;
  if (!port) throw new Error('runs in a worker thread only');
  // What decoders print about broken files would only pile up in the pipe of the thread.
  console.error = () => {};
  console.warn = () => {};
  let queue: Promise<void> = Promise.resolve();
  port.on('message', ({ id, request }: { id: number; request: unknown }) => {
    queue = queue.then(async () => {
      try {
        const { answer, transfer } = await handle(request);
        port.postMessage({ id, answer }, transfer);
      } catch (error) {
        port.postMessage({ id, error: error instanceof Error ? error.message : String(error) });
      }
    });
  });
}
