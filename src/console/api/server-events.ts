/** One server-sent event (WHATWG HTML §9.2). */
export interface ServerEvent {
  readonly id: string | undefined;
  readonly type: string;
  readonly data: string;
}

/** The events of an answer; a comment, which only says that the connection lives, as that. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent | 'comment'> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = (rest + decoder.decode(value, { stream: true })).replaceAll('\r\n', '\n').split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) yield eventOf(block);
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}

function eventOf(block: string): ServerEvent | 'comment' {
  const fields = new Map<string, string>();
  for (const line of block.split('\n')) {
    const [, name, value] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
    if (!name) continue;
    fields.set(name, name === 'data' && fields.has('data') ? `${fields.get('data')}\n${value}` : (value ?? ''));
  }
  const data = fields.get('data');
  if (data === undefined) return 'comment';
  return { id: fields.get('id'), type: fields.get('event') ?? 'message', data };
}
