import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../core/errors.ts';

/** Where the build puts the pages, beside our own compiled files. */
const BUILT = fileURLToPath(new URL('../console/', import.meta.url));
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
const INDEX = 'index.html';

/** Nothing of others, no script but our files; styles stand in the page because the components write their sizes there. */
const POLICY = [
  ...[
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
  ],
  ...["connect-src 'self'", "media-src 'self' blob:", "worker-src 'self'", "manifest-src 'self'"],
  ...["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
].join('; ');
const HEADERS = {
  ...{ 'content-security-policy': POLICY, 'x-frame-options': 'DENY', 'cross-origin-opener-policy': 'same-origin' },
  'permissions-policy': 'microphone=(self), camera=(), geolocation=()',
};

interface ConsoleFile {
  readonly type: string;
  readonly plain: Buffer;
  /** Packed when they are first asked for, and kept: there are some dozens of files. */
  packed?: Promise<{ readonly br: Buffer; readonly gzip: Buffer }>;
}

/** The pages of the console: files of the build, and its index for every address of a page. */
export async function consoleFiles(app: FastifyInstance, folder = BUILT): Promise<void> {
  const files = await readFiles(folder);
  const send = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const asked = (request.params as { '*'?: string })['*'] ?? '';
    const name = files.has(asked) ? asked : INDEX;
    const file = files.get(name);
    if (!file || (name !== asked && extname(asked) !== '')) throw new ServiceError('not_found');
    return sendFile(request, reply, name, file);
  };
  const options = { config: { loggedAs: 'getConsole' } };
  app.get('/console', options, async (_request, reply) => reply.redirect('/console/'));
  app.get('/console/*', options, send);
}

async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  name: string,
  file: ConsoleFile,
): Promise<FastifyReply> {
  reply.headers({
    ...HEADERS,
    'cache-control': HASHED.test(name) ? 'public, max-age=31536000, immutable' : 'no-cache',
    'content-type': file.type,
    vary: 'accept-encoding',
  });
  const encoding = PACKS.test(name) ? bestEncoding(request.headers['accept-encoding']) : undefined;
  if (encoding === undefined) return reply.send(file.plain);
  file.packed ??= pack(file.plain);
  return reply.header('content-encoding', encoding).send((await file.packed)[encoding]);
}

/** Of the two that every browser takes, the smaller (RFC 9110 §12.5.3). */
function bestEncoding(accepted: string | string[] | undefined): 'br' | 'gzip' | undefined {
  const names = String(accepted ?? '')
    .split(',')
    .filter((one) => !/;\s*q=0(?:\.0*)?\s*$/.test(one))
    .map((one) => one.split(';')[0]!.trim());
  return names.includes('br') ? 'br' : names.includes('gzip') ? 'gzip' : undefined;
}

async function pack(plain: Buffer): Promise<{ readonly br: Buffer; readonly gzip: Buffer }> {
  const [br, gzipped] = await Promise.all([
    promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
    promisify(gzip)(plain, { level: 9 }),
  ]);
  return { br, gzip: gzipped };
}

/** Every file below the folder, by its path there; none where the pages were not built. */
async function readFiles(folder: string): Promise<ReadonlyMap<string, ConsoleFile>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const read = entries
    .filter((entry) => entry.isFile() && TYPES[extname(entry.name)] !== undefined)
    .map(async (entry) => {
      const path = join(entry.parentPath, entry.name);
      const file: ConsoleFile = { type: TYPES[extname(entry.name)]!, plain: await readFile(path) };
      return [relative(folder, path).replaceAll('\\', '/'), file] as const;
    });
  return new Map(await Promise.all(read));
}
