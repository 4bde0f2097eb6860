import { ChatFailure } from './chat-failure.ts';

/** The body as it comes; a connection that ends in the middle is a failure. Holds one chunk. */
export async function* bodyOf(response: Response, maxBytes: number): AsyncGenerator<Uint8Array> {
  if (!response.body) return;
  let bytes = 0;
  try {
    for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw new ChatFailure('too-large', `more than ${maxBytes} bytes`);
      yield chunk;
    }
  } catch (error) {
    throw asFailure(error);
  }
}

export async function readText(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bodyOf(response, maxBytes)) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** `fetch` throws one TypeError for everything: `terminated` in the middle of a body, `fetch failed` before it. */
export function asFailure(error: unknown): ChatFailure {
  if (error instanceof ChatFailure) return error;
  const { message, cause } = error instanceof Error ? error : new Error('unknown');
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'no code';
  return new ChatFailure(message === 'terminated' ? 'cut' : 'unreachable', code);
}
