import { readdir, readFile, stat } from 'node:fs/promises';
import { extname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.woff': 'font/woff',
  '.json': 'application/json; charset=utf-8',
};
/** Fonts are packed already. */
const PACKS = /\.(?:html|js|css|svg|json)$/;
/** Names of these carry a hash of what is in them. */
const HASHED = /^assets\//;
/** Larger ones are kept packed alone, since hardly a browser takes anything else, and packed with less effort: 4 MB take 0.25 s of a core. */
const LARGE_BYTES = 1024 * 1024;

interface BuiltFile {
  readonly type: string;
  plain(): Promise<Buffer>;
  /** Packed when they are first asked for, and kept: there are some dozens of files. */
  readonly packed: { br?: Promise<Buffer>; gzip?: Promise<Buffer> };
}

/** Pages that the build has made: files for browsers, packed as they take them, those with a hash in their name for ever. */
export class BuiltFiles {
  private constructor(private readonly files: ReadonlyMap<string, BuiltFile>) {}

  /** Every file below the folder, by its path there; none where the pages were not built. */
  static async read(folder: string): Promise<BuiltFiles> {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
    const read = entries
      .filter((entry) => entry.isFile() && TYPES[extname(entry.name)] !== undefined)
      .map(async (entry) => {
        const path = join(entry.parentPath, entry.name);
        const file = { type: TYPES[extname(entry.name)]!, plain: await reader(path), packed: {} };
        return [relative(folder, path).replaceAll('\\', '/'), file] as const;
      });
    return new BuiltFiles(new Map(await Promise.all(read)));
  }

  has(name: string): boolean {
    return this.files.has(name);
  }

  /** A page with holes, for who fills them. */
  async text(name: string): Promise<string | undefined> {
    return (await this.files.get(name)?.plain())?.toString();
  }

  /** Answers with a file that is there; `headers` go with it. */
  async send(
    request: FastifyRequest,
    reply: FastifyReply,
    name: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<FastifyReply> {
    const file = this.files.get(name)!;
    reply.headers({
      ...headers,
      'cache-control': HASHED.test(name) ? 'public, max-age=31536000, immutable' : 'no-cache',
      'content-type': file.type,
      vary: 'accept-encoding',
    });
    const encoding = PACKS.test(name) ? bestEncoding(request.headers['accept-encoding']) : undefined;
    if (encoding === undefined) return reply.send(await file.plain());
    file.packed[encoding] ??= file.plain().then(PACKERS[encoding]);
    return reply.header('content-encoding', encoding).send(await file.packed[encoding]);
  }
}

async function reader(path: string): Promise<() => Promise<Buffer>> {
  if ((await stat(path)).size > LARGE_BYTES) return () => readFile(path);
  const kept = await readFile(path);
  return async () => kept;
}

/** Of the two that every browser takes, the smaller (RFC 9110 §12.5.3). */
function bestEncoding(accepted: string | string[] | undefined): 'br' | 'gzip' | undefined {
  const names = String(accepted ?? '')
    .split(',')
    .filter((one) => !/;\s*q=0(?:\.0*)?\s*$/.test(one))
    .map((one) => one.split(';')[0]!.trim());
  return names.includes('br') ? 'br' : names.includes('gzip') ? 'gzip' : undefined;
}

const PACKERS = {
  br: (plain: Buffer): Promise<Buffer> => {
    const quality = plain.length > LARGE_BYTES ? 5 : 9;
    return promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } });
  },
  gzip: (plain: Buffer): Promise<Buffer> => promisify(gzip)(plain, { level: plain.length > LARGE_BYTES ? 6 : 9 }),
};
