import swagger from '@fastify/swagger';
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { lazily } from '../core/lazily.ts';
import { TALK_ERRORS } from '../core/talk-errors.ts';
import { ASYNCAPI, SOCKET_ERRORS } from './asyncapi.ts';
import { docsRoutes } from './docs/docs-routes.ts';
import { socketGuide } from './docs/socket-guide.ts';
import { errorAnswers } from './operation.ts';
import { addressOf, atAddress } from './reference-address.ts';
import { describedOperation, documentDescription } from './reference-description.ts';
import { operationFacts, type ReferenceFacts, socketFacts, talkFacts } from './reference-facts.ts';
import { ANSWER_EXAMPLES, EXAMPLES } from './schema-examples.ts';
import { SHARED_SCHEMAS } from './schemas.ts';

/** Makes the OpenAPI document from the routes that `app` gets after this. Call it before they are added. */
export async function describeRoutes(app: FastifyInstance, version: string, facts: ReferenceFacts): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Nidaa API', version, description: documentDescription(facts) },
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
      const told = operationFacts(spec.id, facts);
      return { schema: { ...schema, ...told, description: describedOperation(spec.description, told), response }, url };
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

/** The documents, open to everyone: OpenAPI and AsyncAPI, with samples for the address asked at; and the pages to read them. */
export async function referenceRoutes(app: FastifyInstance, facts: ReferenceFacts, hasConsole: boolean): Promise<void> {
  const { transcribe, talk } = ASYNCAPI.channels;
  const channels = { transcribe: { ...transcribe, ...socketFacts(facts) }, talk: { ...talk, ...talkFacts(facts) } };
  const socket = { ...ASYNCAPI, channels };
  const texts = {
    openapi: lazily(() => JSON.stringify(app.swagger())),
    asyncapi: lazily(() => JSON.stringify(socket)),
  };
  const send = (request: FastifyRequest, reply: FastifyReply, text: string): FastifyReply =>
    reply
      .headers({ 'cache-control': 'no-cache', vary: 'Host, X-Forwarded-Proto' })
      .type('application/json; charset=utf-8')
      .send(atAddress(text, addressOf(request)));
  app.get('/openapi.json', async (request, reply) => send(request, reply, texts.openapi()));
  app.get('/asyncapi.json', async (request, reply) => send(request, reply, texts.asyncapi()));
  const codes = { transcribe: SOCKET_ERRORS, talk: TALK_ERRORS };
  await docsRoutes(app, { prices: facts.prices, sockets: () => socketGuide(socket, codes), hasConsole });
}
