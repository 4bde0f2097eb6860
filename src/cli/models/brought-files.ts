import { spawn } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { createGunzip } from 'node:zlib';
import { OperatorError } from '../../core/errors.ts';
import { shown, tarEntries } from './tar.ts';

/** One file that somebody brought; its content is read before the next one comes. */
export interface BroughtFile {
  readonly path: string; // as it is written: nothing is believed of it
  content(): AsyncIterable<Uint8Array>;
}

const ENDINGS = /\.(?:tar|tar\.gz|tgz|tar\.bz2|tbz2|onnx)$/i;
const TOLD_CHARS_MAX = 300;

/** What a model is called after the file that it came in. */
export function nameAfter(place: string): string {
  return basename(place).replace(ENDINGS, '');
}

/** The files of a folder, of a tar archive (plain, gzip, bzip2), or one model file. @throws OperatorError for anything else. */
export async function* broughtFiles(place: string): AsyncGenerator<BroughtFile> {
  const state = await lstat(place).catch(() => undefined);
  if (!state) throw new OperatorError(`${place} is not there`);
  if (state.isDirectory()) return yield* filesOf(place, '');
  if (!state.isFile()) throw new OperatorError(`${place} is neither a file nor a folder`);
  if (/\.onnx$/i.test(place)) return yield { path: basename(place), content: () => createReadStream(place) };
  if (!ENDINGS.test(place)) {
    const others = /\.(zip|7z|rar|xz|zst)$/i.test(place) ? 'unpack it and name the folder' : 'name a folder';
    throw new OperatorError(`${basename(place)} is no .tar, .tar.gz, .tar.bz2 or .onnx: ${others}`);
  }
  for await (const { path, type, content } of tarEntries(unpacked(place))) {
    if (type === 'file') yield { path, content };
  }
}

async function* filesOf(root: string, below: string): AsyncGenerator<BroughtFile> {
  for await (const entry of await opendir(join(root, below))) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) yield* filesOf(root, path);
    else if (entry.isFile()) yield { path, content: () => createReadStream(join(root, path)) };
    else {
      const why = entry.isSymbolicLink() ? 'a symbolic link: copy the folder with `cp -rL` first' : 'no file';
      throw new OperatorError(`${shown(path)} is ${why}`);
    }
  }
}

function unpacked(place: string): AsyncIterable<Uint8Array> {
  if (/\.tar$/i.test(place)) return createReadStream(place);
  if (/gz$/i.test(place)) return readable(createReadStream(place).pipe(createGunzip()));
  return bunzipped(place);
}

/** What zlib says of a damaged file is for the operator. */
async function* readable(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* source;
  } catch (error) {
    throw new OperatorError(`the archive cannot be unpacked: ${(error as Error).message}`);
  }
}

/** By the program of that name, which every distribution has: Node knows no bzip2. */
async function* bunzipped(place: string): AsyncGenerator<Uint8Array> {
  const child = spawn('bzip2', ['-dc', '--', place], { stdio: ['ignore', 'pipe', 'pipe'] });
  let told = '';
  child.stderr.setEncoding('utf8').on('data', (piece: string) => {
    told = (told + piece).slice(0, TOLD_CHARS_MAX);
  });
  const ended = new Promise<string | undefined>((resolve) => {
    child.once('error', () => resolve('bzip2 is not installed: apt-get install bzip2'));
    child.once('close', (code) => resolve(code === 0 ? undefined : `bzip2 cannot unpack it: ${told.trim()}`));
  });
  try {
    yield* child.stdout as AsyncIterable<Uint8Array>;
    const failure = await ended;
    if (failure !== undefined) throw new OperatorError(failure);
  } finally {
    child.kill();
  }
}
