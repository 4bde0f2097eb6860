import { createHash } from 'node:crypto';
import swagger from '@fastify/swagger';
import type { FastifyContextConfig, FastifyInstance } from 'fastify';
import { ASYNCAPI } from './asyncapi.ts';
import { errorAnswers } from './operation.ts';
import { type OpenApiDocument, referencePage, STYLE } from './reference-page.ts';
import { EXAMPLES } from './schema-examples.ts';
import { SHARED_SCHEMAS } from './schemas.ts';

const DESCRIPTION =
  'Voice and text work in Arabic (Saudi dialects, with English mixed in) and English. Paid operations are charged in whole cents from a credit balance; what fails costs nothing. Unknown fields of a request are ignored, unknown fields of an answer should be.';

/** Makes the OpenAPI document from the routes that `app` gets after this. Call it before they are added. */
export async function describeRoutes(app: FastifyInstance, version: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Nidaa API', version, description: DESCRIPTION },
      servers: [{ url: '/' }],
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', description: 'An API token, `service_sk_live_...`.' },
        },
      },
      tags: ['Agents', 'Speech', 'Transcription', 'Documents', 'Text', 'Voices'].map((name) => ({ name })),
    },
    hideUntagged: true,
    transform: ({ schema, url, route }) => {
      const spec = (route.config as FastifyContextConfig | undefined)?.operation;
      if (!spec) return { schema, url };
      return { schema: { ...schema, response: { ...(schema.response as object), ...errorAnswers(spec) } }, url };
    },
    refResolver: { buildLocalReference: (json) => String(json.$id) },
  });
  for (const schema of SHARED_SCHEMAS) {
    const example = EXAMPLES[schema.$id ?? ''];
    app.addSchema(example === undefined ? schema : { ...schema, examples: [example] });
  }
}

/** The reference, open to everyone: OpenAPI, AsyncAPI and a page to read. */
export function referenceRoutes(app: FastifyInstance): void {
  let page: string | undefined;
  const document = (): OpenApiDocument => app.swagger() as unknown as OpenApiDocument;
  const styleHash = createHash('sha256').update(STYLE).digest('base64');
  app.get('/openapi.json', async (_request, reply) => reply.type('application/json; charset=utf-8').send(document()));
  app.get('/asyncapi.json', async (_request, reply) => reply.type('application/json; charset=utf-8').send(ASYNCAPI));
  app.get('/docs', async (_request, reply) => {
    page ??= referencePage(document());
    reply.header('content-security-policy', csp(styleHash));
    reply.header('x-frame-options', 'DENY');
    return reply.type('text/html; charset=utf-8').send(page);
  });
}

/** The page has no script at all, and loads nothing. */
const csp = (styleHash: string): string =>
  `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
