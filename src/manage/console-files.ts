import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { BuiltFiles } from '../api/built-files.ts';
import { ServiceError } from '../core/errors.ts';

/** Where the build puts the pages, beside our own compiled files. */
const BUILT = fileURLToPath(new URL('../console/', import.meta.url));
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

/** The pages of the console: files of the build, and its index for every address of a page. */
export async function consoleFiles(app: FastifyInstance, folder = BUILT): Promise<void> {
  const files = await BuiltFiles.read(folder);
  const send = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const asked = (request.params as { '*'?: string })['*'] ?? '';
    const name = files.has(asked) ? asked : INDEX;
    if (!files.has(name) || (name !== asked && extname(asked) !== '')) throw new ServiceError('not_found');
    return files.send(request, reply, name, HEADERS);
  };
  const options = { config: { loggedAs: 'getConsole' } };
  app.get('/console', options, async (_request, reply) => reply.redirect('/console/'));
  app.get('/console/*', options, send);
}
