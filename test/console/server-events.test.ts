import { describe, expect, it } from 'vitest';
import { readEvents, type ServerEvent } from '../../src/console/api/server-events.ts';

async function eventsOf(...pieces: readonly string[]): Promise<(ServerEvent | 'comment')[]> {
  const bytes = pieces.map((piece) => new TextEncoder().encode(piece));
  const found: (ServerEvent | 'comment')[] = [];
  for await (const event of readEvents(ReadableStream.from(bytes) as ReadableStream<Uint8Array>)) found.push(event);
  return found;
}

describe('server-sent events', () => {
  const text = ': open\n\nid: a-1\nevent: call.turn\ndata: {"text":\ndata: "أهلا"}\n\nevent: reset\ndata: {}\n\n';
  const expected = [
    'comment',
    { id: 'a-1', type: 'call.turn', data: '{"text":\n"أهلا"}' },
    { id: undefined, type: 'reset', data: '{}' },
  ];

  it('are read from one piece', async () => {
    expect(await eventsOf(text)).toEqual(expected);
    expect(await eventsOf(text.replaceAll('\n', '\r\n'))).toEqual(expected);
  });

  it('are read from pieces that end anywhere, and one that is not whole is none', async () => {
    const pieces = [...text].map((letter) => letter);
    expect(await eventsOf(...pieces, 'event: cut\ndata: 1')).toEqual(expected);
  });
});
