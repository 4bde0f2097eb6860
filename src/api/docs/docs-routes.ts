import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Prices } from '../../billing/prices.ts';
import { ServiceError } from '../../core/errors.ts';
import { BuiltFiles } from '../built-files.ts';
import { addressOf, atAddress } from '../reference-address.ts';
import { filled, type GuideLanguage, type GuideName, guidePage, guideText, isGuide } from './guides.ts';

/** Where the build puts the pages, beside our own compiled files. */
const BUILT = fileURLToPath(new URL('../../docs/', import.meta.url));
const REFERENCE = 'reference.html';
const GUIDE = 'guide.html';

/** Nothing of others, no script but our files, none made of text; styles stand in the page because the reference writes them there. */
const POLICY = [
  ...["default-src 'none'", "script-src 'self'", "style-src 'self' 'unsafe-inline'", "img-src 'self' data: blob:"],
  ...["font-src 'self'", "connect-src 'self'", "media-src 'self' blob:"],
  ...["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
].join('; ');
const HEADERS = {
  ...{ 'content-security-policy': POLICY, 'x-frame-options': 'DENY', 'cross-origin-opener-policy': 'same-origin' },
  'permissions-policy': 'microphone=(), camera=(), geolocation=()',
};

export interface DocsParts {
  readonly prices: Prices;
  /** The live sockets as Markdown. */
  readonly sockets: () => string;
  readonly hasConsole: boolean;
}

/** The reference to read and try, the guides, and the files of both. Open to everyone. */
export async function docsRoutes(app: FastifyInstance, parts: DocsParts, folder = BUILT): Promise<void> {
  const { prices, sockets, hasConsole } = parts;
  const files = await BuiltFiles.read(folder);
  const [template, reference] = await Promise.all([files.text(GUIDE), files.text(REFERENCE)]);
  const made = new Map<string, string>();
  const pageOf = (name: GuideName, language: GuideLanguage): string => {
    const key = `${name} ${language}`;
    const known = made.get(key);
    if (known !== undefined) return known;
    const text = name === 'sockets' ? sockets() : guideText(name, language, prices);
    const page = guidePage(template ?? '', { language, hasConsole }, name, text);
    made.set(key, page);
    return page;
  };
  const sendPage = (request: FastifyRequest, reply: FastifyReply, page: string): FastifyReply =>
    reply
      .headers({ ...HEADERS, 'cache-control': 'no-cache', vary: 'Accept-Language, Host, X-Forwarded-Proto' })
      .type('text/html; charset=utf-8')
      .send(atAddress(page, addressOf(request)));
  const sendFile = (request: FastifyRequest, reply: FastifyReply, name: string): Promise<FastifyReply> => {
    if (!files.has(name)) throw new ServiceError('not_found');
    return files.send(request, reply, name, HEADERS);
  };
  const options = { config: { loggedAs: 'getDocs' } };
  app.get('/docs', options, async (request, reply) => {
    if (reference === undefined) throw new ServiceError('not_found');
    const reader = { language: languageOf(request), hasConsole };
    return sendPage(request, reply, filled(reference, reader, 'reference', { manage: String(hasConsole) }));
  });
  app.get('/docs/', options, async (_request, reply) => reply.redirect('/docs'));
  app.get('/docs/icon.svg', options, async (request, reply) => sendFile(request, reply, 'icon.svg'));
  app.get('/docs/assets/*', options, async (request, reply) => {
    const { '*': asked } = request.params as { '*': string };
    return sendFile(request, reply, `assets/${asked}`);
  });
  app.get('/docs/guides/:name', options, async (request, reply) => {
    const { name } = request.params as { name: string };
    if (!isGuide(name) || template === undefined) throw new ServiceError('not_found');
    return sendPage(request, reply, pageOf(name, languageOf(request)));
  });
}

/** As the address says, else as the browser prefers. */
function languageOf(request: FastifyRequest): GuideLanguage {
  const { lang } = request.query as { lang?: unknown };
  if (lang === 'ar' || lang === 'en') return lang;
  return /^\s*ar\b/i.test(request.headers['accept-language'] ?? '') ? 'ar' : 'en';
}
