import { ChatFailure } from './chat-failure.ts';

/**
 * The body as it comes; a connection that ends in the middle is a failure. Holds one chunk.
 *
 * @param signal - that of the request. Node 20's `fetch` forgets it when the garbage of a request is collected while its body is still
 * being read: whoever gives the answer up would wait for its end, and the server would go on writing.
 */
export async function* bodyOf(response: Response, maxBytes: number, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader();
  if (!reader) return;
  const cancel = (): void => void reader.cancel().catch(() => {});
  signal.addEventListener('abort', cancel, { once: true });
  let bytes = 0;
  try {
    for (;;) {
      signal.throwIfAborted();
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      if (done) return;
      bytes += value.length;
      if (bytes > maxBytes) throw new ChatFailure('too-large', `more than ${maxBytes} bytes`);
      yield value;
    }
  } catch (error) {
    throw asFailure(error);
  } finally {
    signal.removeEventListener('abort', cancel);
    cancel();
  }
}

export async function readText(response: Response, maxBytes: number, signal: AbortSignal): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bodyOf(response, maxBytes, signal)) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** `fetch` throws one TypeError for everything: `terminated` in the middle of a body, `fetch failed` before it. */
export function asFailure(error: unknown): ChatFailure {
  if (error instanceof ChatFailure) return error;
  const { message, cause } = error instanceof Error ? error : new Error('unknown');
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'no code';
  return new ChatFailure(message === 'terminated' ? 'cut' : 'unreachable', code);
}
