import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../core/errors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The body as it came, kept only for requests with an Idempotency-Key. */
    rawBody: Buffer | undefined;
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true }); // drops a byte order mark

/** Reads JSON bodies strictly: UTF-8 or nothing. Other content types have no parser and are answered 415. */
export function useJsonBodies(app: FastifyInstance): void {
  app.decorateRequest('rawBody', undefined);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    if (request.headers['idempotency-key'] !== undefined) request.rawBody = body;
    let text: string;
    try {
      text = utf8.decode(body);
    } catch {
      return done(new ServiceError('invalid_request', 'body is not valid UTF-8'));
    }
    try {
      done(null, JSON.parse(text));
    } catch {
      done(new ServiceError('invalid_request', 'body is not valid JSON'));
    }
  });
}
