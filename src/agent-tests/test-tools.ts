import type { TestTool } from '../core/agent-tests.ts';
import type { Fetcher } from '../engines/reply/tool-fetcher.ts';

/** HTTP tools as a dialogue has them answer: nothing leaves the gateway. */
export class TestTools {
  answers: readonly TestTool[] = [];

  readonly fetcher: Fetcher = async (url) => {
    const found = this.answers.find((one) => url.startsWith(one.url));
    const status = found?.status ?? 404;
    const ok = status >= 200 && status < 300;
    return { ok, status, body: ok ? bytesOf(found?.answer ?? '') : null };
  };
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
