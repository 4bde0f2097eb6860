import { createHash } from 'node:crypto';
import swagger from '@fastify/swagger';
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ASYNCAPI } from './asyncapi.ts';
import { errorAnswers } from './operation.ts';
import { addressOf, atAddress } from './reference-address.ts';
import { commonLimits, operationFacts, type ReferenceFacts, socketFacts, talkFacts } from './reference-facts.ts';
import { type OpenApiDocument, referencePage } from './reference-page.ts';
import { SCRIPT } from './reference-script.ts';
import { STYLE } from './reference-style.ts';
import { ANSWER_EXAMPLES, EXAMPLES } from './schema-examples.ts';
import { SHARED_SCHEMAS } from './schemas.ts';

const DESCRIPTION =
  'Voice and text work in Arabic (Saudi dialects, with English mixed in) and English. Paid operations are charged in ' +
  'whole cents from a credit balance; what fails costs nothing. Unknown fields of a request are ignored, unknown fields ' +
  'of an answer should be.';

/** Makes the OpenAPI document from the routes that `app` gets after this. Call it before they are added. */
export async function describeRoutes(app: FastifyInstance, version: string, facts: ReferenceFacts): Promise<void> {
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
      const response = { ...withExample(schema.response, ANSWER_EXAMPLES[spec.id]), ...errorAnswers(spec) };
      return { schema: { ...schema, ...operationFacts(spec.id, facts), response }, url };
    },
    refResolver: { buildLocalReference: (json) => String(json.$id) },
  });
  for (const schema of SHARED_SCHEMAS) {
    const example = EXAMPLES[schema.$id ?? ''];
    app.addSchema(example === undefined ? schema : { ...schema, examples: [example] });
  }
}

type Responses = { readonly 200?: { readonly content: { readonly 'application/json'?: object } } };

/** The responses of a route with an example of the good one. */
function withExample(response: unknown, example: unknown): object {
  const responses = response as Responses;
  const json = responses[200]?.content['application/json'];
  if (!json || example === undefined) return responses;
  return { ...responses, 200: { ...responses[200], content: { 'application/json': { ...json, example } } } };
}

/** The reference, open to everyone: OpenAPI, AsyncAPI and a page to read, with samples for the address asked at. */
export function referenceRoutes(app: FastifyInstance, facts: ReferenceFacts): void {
  const { transcribe, talk } = ASYNCAPI.channels;
  const channels = { transcribe: { ...transcribe, ...socketFacts(facts) }, talk: { ...talk, ...talkFacts(facts) } };
  const socket = { ...ASYNCAPI, channels };
  const document = (): OpenApiDocument => app.swagger() as unknown as OpenApiDocument;
  const texts = {
    openapi: once(() => JSON.stringify(document())),
    asyncapi: once(() => JSON.stringify(socket)),
    page: once(() => referencePage(document(), socket, commonLimits(facts))),
  };
  const send = (request: FastifyRequest, reply: FastifyReply, type: string, text: string): FastifyReply =>
    reply
      .headers({ 'cache-control': 'no-cache', vary: 'Host, X-Forwarded-Proto' })
      .type(`${type}; charset=utf-8`)
      .send(atAddress(text, addressOf(request)));
  const json = 'application/json';
  app.get('/openapi.json', async (request, reply) => send(request, reply, json, texts.openapi()));
  app.get('/asyncapi.json', async (request, reply) => send(request, reply, json, texts.asyncapi()));
  app.get('/docs', async (request, reply) => {
    reply.headers({ 'content-security-policy': PAGE_POLICY, 'x-frame-options': 'DENY' });
    return send(request, reply, 'text/html', texts.page());
  });
}

function once(make: () => string): () => string {
  let made: string | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
/** The page loads nothing and talks to nobody; only its own style and its own script run. */
const PAGE_POLICY = `default-src 'none'; style-src ${hashOf(STYLE)}; script-src ${hashOf(SCRIPT)}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
