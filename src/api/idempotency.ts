import { createHash } from 'node:crypto';
import { type Readable, Transform } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { errorText, ServiceError } from '../core/errors.ts';
import { STORED_BODY_BYTES_MAX } from '../store/idempotency.ts';
import type { IdempotentRequest, StoredAnswer } from '../store/idempotent-request.ts';
import type { ServiceDeps } from './deps.ts';
import { fromStore } from './from-store.ts';
import type { HoldEnd } from './payments.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set while this request is the one that runs for its Idempotency-Key. */
    idempotent: RunningRequest | undefined;
  }
  interface FastifyContextConfig {
    /** The operation costs something, so that clients may send an Idempotency-Key. */
    isPaid?: boolean;
    /** Its answers are never kept: a repetition makes the same one again, for what the first has paid. */
    isPrivate?: boolean;
    /** The body is a file: it has limits of its own. */
    isUpload?: boolean;
  }
}

interface RunningRequest {
  readonly entry: IdempotentRequest;
  /** What its charges belong to. */
  readonly owner: string;
  /** Resolves when the money it holds is booked or given back: before that nobody can tell what it has paid. */
  holdEnded?: Promise<HoldEnd>;
}

const KEY_CHARS_MAX = 255;
const KEPT_HEADERS = /^(?:content-type$|etag$|x-service-)/;

/**
 * Paid requests that carry an `Idempotency-Key` run once: a repetition gets the same answer again without a charge, a twin
 * that is still running gets 409, another request under the same key 422. Failed requests leave the key free.
 */
export function useIdempotency(scope: FastifyInstance, store: ServiceDeps['idempotency']): void {
  scope.decorateRequest('idempotent', undefined);
  scope.addHook('preHandler', async (request, reply) => {
    const key = request.headers['idempotency-key'];
    if (key === undefined || !request.routeOptions.config.isPaid) return;
    if (typeof key !== 'string' || key.length === 0 || key.length > KEY_CHARS_MAX) {
      throw new ServiceError('invalid_request', `Idempotency-Key must have 1 to ${KEY_CHARS_MAX} characters`);
    }
    const entry: IdempotentRequest = {
      accountId: request.caller.accountId,
      path: request.url.split('?', 1)[0]!,
      key,
      requestSha256: fingerprint(request),
    };
    const outcome = await fromStore(() => store.begin(entry));
    if (outcome.type === 'running') throw new ServiceError('idempotency_in_progress');
    if (outcome.type === 'mismatch') throw new ServiceError('idempotency_mismatch');
    if (outcome.type === 'replay') {
      if (!request.routeOptions.config.isPrivate) return replay(reply, outcome.answer);
      reply.header('idempotent-replayed', 'true');
    }
    request.idempotent = { entry, owner: ownerOf(entry) };
    return undefined;
  });
  scope.addHook('onSend', async (request, reply, payload) => {
    const running = request.idempotent;
    if (!running) return payload;
    request.idempotent = undefined;
    const keeper = new AnswerKeeper(store, running, request);
    if (reply.statusCode >= 400) {
      await keeper.abandon();
      return payload;
    }
    const answer = { status: reply.statusCode, headers: keptHeaders(reply) };
    if (typeof payload === 'string' || Buffer.isBuffer(payload)) {
      const kept = request.routeOptions.config.isPrivate ? '' : payload;
      await keeper.complete({ ...answer, body: Buffer.from(kept) });
      return payload;
    }
    return keeper.through(payload as Readable, answer);
  });
}

/**
 * Everything that makes the request what it is: two requests with the same fingerprint ask for the same. Of `Accept` counts
 * what it decides: a retry through another client or proxy, which write it in their own way, is the same request.
 */
function fingerprint(request: FastifyRequest): Buffer {
  const { negotiated } = request.routeOptions.config.operation ?? {};
  const hash = createHash('sha256').update(`${negotiated?.(request.headers.accept, request.body) ?? ''}\n`);
  if (request.rawBody) return hash.update(request.rawBody).digest();
  hash.update(JSON.stringify(request.body));
  if (request.upload) hash.update(request.upload.bytes);
  return hash.digest();
}

function ownerOf(entry: IdempotentRequest): string {
  const hash = createHash('sha256').update(JSON.stringify([entry.accountId, entry.path, entry.key]));
  return `idem_${hash.update(entry.requestSha256).digest('hex').slice(0, 40)}`;
}

function replay(reply: FastifyReply, answer: StoredAnswer): FastifyReply {
  return reply
    .code(answer.status)
    .headers(answer.headers)
    .header('idempotent-replayed', 'true')
    .send(Buffer.from(answer.body));
}

function keptHeaders(reply: FastifyReply): Record<string, string> {
  const headers = Object.entries(reply.getHeaders()).filter(
    ([name, value]) => value !== undefined && KEPT_HEADERS.test(name) && name !== 'x-service-version',
  );
  return Object.fromEntries(headers.map(([name, value]) => [name, String(value)]));
}

/** Keeps one answer. The client gets it even when it cannot be kept. */
class AnswerKeeper {
  #abandoned: Promise<void> | undefined;

  constructor(
    private readonly store: ServiceDeps['idempotency'],
    private readonly running: RunningRequest,
    private readonly request: FastifyRequest,
  ) {}

  complete(answer: StoredAnswer): Promise<void> {
    return this.#tolerate(() => this.store.complete(this.running.entry, answer));
  }

  /** Leaves the key to the next request, once that can see what this one has paid. Idempotent: the key is the next one's then. */
  abandon(): Promise<void> {
    this.#abandoned ??= this.#tolerate(async () => {
      await this.running.holdEnded;
      await this.store.abandon(this.running.entry);
    });
    return this.#abandoned;
  }

  /** Passes a stream on and keeps it when it came to its end, unless its last words are that it failed: then nothing was paid. */
  through(stream: Readable, answer: Omit<StoredAnswer, 'body'>): Readable {
    const chunks: Buffer[] = [];
    let bytes = 0;
    let isWhole = false;
    const tee = new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        bytes += chunk.length;
        if (bytes <= STORED_BODY_BYTES_MAX) chunks.push(chunk);
        else chunks.length = 0;
        done(null, chunk);
      },
      flush: (done) => {
        isWhole = true;
        const isKept = async (): Promise<boolean> =>
          bytes <= STORED_BODY_BYTES_MAX && (await this.running.holdEnded) !== 'given-back';
        void isKept()
          .then((kept) => (kept ? this.complete({ ...answer, body: Buffer.concat(chunks) }) : this.abandon()))
          .then(() => done());
      },
    });
    stream.once('error', (error) => {
      void this.abandon();
      tee.destroy(error);
    });
    tee.once('close', () => {
      if (isWhole) return;
      void this.abandon();
      stream.destroy();
    });
    return stream.pipe(tee);
  }

  async #tolerate(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.request.log.warn({ error: errorText(error) }, 'an idempotent answer was not kept');
    }
  }
}
