import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** What all test files of a run share, and what they are told of it. */
export interface Shared {
  readonly facts: object;
  readonly close: () => Promise<unknown>;
}

/** The Unix socket on which a run tells where a thing of its is. */
export interface Desk {
  readonly address: string;
  /** Ends the thing too, if anybody asked for it. */
  readonly close: () => Promise<void>;
}

/** @param start - makes the thing when the first file asks; `folder` is its own until the run is over. */
export async function openDesk(start: (folder: string) => Promise<Shared>): Promise<Desk> {
  const folder = mkdtempSync(join(tmpdir(), 'nidaa-test-'));
  const address = join(folder, 'desk');
  let shared: Promise<Shared> | undefined;
  const server = createServer((socket) => {
    shared ??= start(folder);
    shared.then(
      ({ facts }) => socket.end(JSON.stringify(facts)),
      (error: Error) => socket.end(JSON.stringify({ error: error.message })),
    );
  });
  server.listen(address);
  await once(server, 'listening');
  const close = async (): Promise<void> => {
    server.close();
    await (await shared?.catch(() => undefined))?.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { address, close };
}

/** @param what - "the gateway": what the error names that says why it could not be started. */
export async function askDesk<Facts extends object>(address: string, what: string): Promise<Facts> {
  const answer = JSON.parse(await text(connect(address))) as Facts & { readonly error?: string };
  if (answer.error !== undefined) throw new Error(`${what} of the run did not start: ${answer.error}`);
  return answer;
}
