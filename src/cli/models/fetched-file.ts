import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { OperatorError } from '../../core/errors.ts';

const REDIRECTS_MAX = 5;
const FILE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,120}$/;

/** Whether somebody named an address and no file. */
export const isAddress = (place: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(place);

/** Loads what stands at an https address, to which alone it is led on, into `folder`. @returns the path. @throws OperatorError. */
export async function fetchedFile(address: string, folder: string, bytesMax: number): Promise<string> {
  const name = decodeURIComponent(addressOf(address).pathname.split('/').at(-1) ?? '');
  if (!FILE_NAME.test(name)) throw new OperatorError(`${address}: expected an address that ends in the name of a file`);
  const response = await followed(addressOf(address));
  if (!response.ok || !response.body) throw new OperatorError(`${address} answers ${response.status}`);
  const path = join(folder, name);
  try {
    await pipeline(
      Readable.fromWeb(response.body as never),
      atMost(bytesMax),
      createWriteStream(path, { flags: 'wx', mode: 0o600 }),
    );
  } catch (error) {
    throw error instanceof OperatorError
      ? error
      : new OperatorError(`${address} broke off: ${(error as Error).message}`);
  }
  return path;
}

async function followed(first: URL): Promise<Response> {
  let address = first;
  for (let hops = 0; hops <= REDIRECTS_MAX; hops += 1) {
    const response = await fetch(address, { redirect: 'manual' }).catch((error: Error) => {
      throw new OperatorError(
        `${address.host} is not reached: ${(error.cause as Error | undefined)?.message ?? error.message}`,
      );
    });
    const next = response.status >= 300 && response.status < 400 ? response.headers.get('location') : null;
    if (next === null) return response;
    await response.body?.cancel();
    address = addressOf(new URL(next, address).href);
  }
  throw new OperatorError(`${first.href} leads on and on`);
}

function addressOf(text: string): URL {
  if (!URL.canParse(text) || new URL(text).protocol !== 'https:') {
    throw new OperatorError(`expected an https address, got ${text.slice(0, 200)}`);
  }
  return new URL(text);
}

function atMost(bytesMax: number): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > bytesMax)
        done(new OperatorError(`the file is larger than ${gigabytes(bytesMax)}: --max-gb allows more`));
      else done(null, chunk);
    },
  });
}

export const gigabytes = (bytes: number): string => `${Math.round(bytes / 1e7) / 100} GB`;

/** The SHA-256 of a file, in hex. */
export async function sumOf(path: string): Promise<string> {
  const sum = createHash('sha256');
  for await (const chunk of createReadStream(path)) sum.update(chunk as Buffer);
  return sum.digest('hex');
}
