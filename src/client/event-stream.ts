import type { SpeechEvent } from '../api/schemas.ts';

/** Longest event that is read: 200 ms of the widest audio in base64 is a hundredth of it. */
const EVENT_CHARS_MAX = 4 * 1024 * 1024;

/** The events of a server-sent event stream, in order; comments are skipped. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<SpeechEvent> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      rest += value ? decoder.decode(value, { stream: true }) : '';
      const blocks = rest.split('\n\n');
      rest = blocks.pop() ?? '';
      if (rest.length > EVENT_CHARS_MAX) throw new RangeError('an event is too long');
      for (const block of blocks) {
        const event = parse(block);
        if (event) yield event;
      }
      if (done) return;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function parse(block: string): SpeechEvent | undefined {
  const data = block
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice('data:'.length).trimStart())
    .join('\n');
  return data === '' ? undefined : (JSON.parse(data) as SpeechEvent);
}
