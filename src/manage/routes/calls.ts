import { addAbortSignal, Readable } from 'node:stream';
import { Type } from '@sinclair/typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { formatOf } from '../../api/formats.ts';
import { watchRequest } from '../../api/request-signal.ts';
import type { Clock } from '../../core/clock.ts';
import { errorText } from '../../core/errors.ts';
import type { Logger } from '../../core/logger.ts';
import { sentence } from '../../core/notice.ts';
import { RecordingHomeAway } from '../../recordings/recording-home.ts';
import type { Elsewhere, RecordedCall } from '../../recordings/recording-library.ts';
import { UnknownSealKey } from '../../recordings/sealed-file.ts';
import type { CallWithTurns } from '../../store/call-rows.ts';
import { presentLadder } from '../../store/ladders.ts';
import { byteRange } from '../byte-range.ts';
import type { ManageDeps } from '../deps.ts';
import { ManageError } from '../manage-error.ts';
import { idParam, known, type ManageOperation, operation, versionTag } from '../operation.ts';
import { numberOf } from '../pages.ts';
import { coarser, type Peaks } from '../peaks.ts';
import { recordingAsMp3 } from '../recording-mp3.ts';
import { oneOf, wholeInQuery } from '../schema-names.ts';
import * as shapes from '../schemas/calls.ts';
import { plainTranscript, webVtt } from '../transcript-text.ts';

const tag = 'Calls';
const FORMATS = ['json', 'txt', 'vtt'] as const;
const SOUNDS = ['wav', 'mp3'] as const;
/** An hour takes a minute to make, and nobody holds its place for long by reading it slowly. */
const MADE_MS_MAX = 900_000;
const params = idParam('call');
/** Why a recording that there is cannot be given. */
const ELSEWHERE = ['not_here_yet', 'elsewhere', 'storage_away', 'sealed'] as const;
const ASK_AGAIN_SECONDS = 30;
const PEAKS_MAX = 12_000;
const PEAKS_DEFAULT = 200;

/** Calls that are, and calls that were. */
export function callOperations(deps: ManageDeps): ManageOperation[] {
  const { store, recordings } = deps;
  const callOf = async (accountId: string, id: string): Promise<CallWithTurns> =>
    known(await store.calls.get(id, accountId), 'call', id);
  const recordingOf = async (accountId: string, id: string): Promise<RecordedCall> => {
    const { call } = await callOf(accountId, id);
    const recording = known(call.endedAt ? (call.recording ?? undefined) : undefined, 'recording of', id);
    return { id: call.id, gateway: call.gateway, recording };
  };
  return [
    operation(
      {
        ...{ id: 'getCall', method: 'GET', path: '/calls/{id}', tag, scope: 'read', params },
        summary: 'Get a call: what was said and when, quality, cost, what it was ordered with',
        answer: shapes.CallShape,
      },
      async ({ accountId, params: { id } }) => {
        const found = await callOf(accountId, id);
        const order =
          found.call.direction === 'outbound' ? await store.dialOrders.ofCall(found.call.id, accountId) : undefined;
        return shapes.presentWholeCall(found, await store.charges.linesOf(found.call.id), order?.variables);
      },
    ),
    operation(
      {
        ...{ id: 'getCallLadder', method: 'GET', path: '/calls/{id}/ladder', tag, scope: 'read', params },
        summary: 'Get the SIP messages of a call, dialog by dialog, without secrets',
        description:
          'They are kept when the call is over. Operators get those of calls that came to nothing too, by their SIP Call-ID.',
        answer: Type.Object({ items: Type.Array(shapes.LadderShape) }),
      },
      async ({ who, accountId, params: { id } }) => {
        const found = await store.calls.get(id, accountId);
        const isOperator = who.scopes.includes('operator');
        const nobodys =
          found || !isOperator ? [] : (await store.ladders.of(id)).filter(({ callId }) => callId === null);
        if (nobodys.length > 0) return { items: nobodys.map(presentLadder) };
        return { items: (await store.ladders.of(known(found, 'call', id).call.id)).map(presentLadder) };
      },
    ),
    operation(
      {
        ...{ id: 'getCallTranscript', method: 'GET', path: '/calls/{id}/transcript', tag, scope: 'read', params },
        summary: 'Get what was said, to read, for a program, or as subtitles of the recording',
        query: Type.Object({ format: Type.Optional(oneOf(FORMATS, 'json without it.')) }),
        files: ['application/json', 'text/plain', 'text/vtt'],
      },
      async ({ accountId, params: { id }, query, reply }) => {
        const found = await callOf(accountId, id);
        const { turns } = found;
        if (query.format === 'txt') return reply.type('text/plain; charset=utf-8').send(plainTranscript(turns));
        if (query.format === 'vtt') {
          return reply.type('text/vtt; charset=utf-8').send(webVtt(turns, found.call.recordingAnswerMs ?? 0));
        }
        const items = shapes.presentWholeCall(found, [], undefined).turns;
        return reply.type('application/json; charset=utf-8').send(JSON.stringify({ items }));
      },
    ),
    operation(
      {
        ...{ id: 'getCallRecording', method: 'GET', path: '/calls/{id}/recording', tag, scope: 'read', params },
        summary: 'Get the recording: the caller left, the agent right',
        description:
          'As it was recorded it takes `Range`. MP3 is made while it is sent, so that its length is not known before and it comes whole; ' +
          'a few are made at once, `unavailable` beyond. Without `format`, what `Accept` asks for.',
        query: Type.Object({ format: Type.Optional(oneOf(SOUNDS, 'wav without it and `Accept`.')) }),
        ...{ files: ['audio/wav', 'audio/mpeg'], errors: ['range_not_satisfiable', 'unavailable', ...ELSEWHERE] },
      },
      async ({ accountId, params: { id }, query, request, reply }) => {
        const call = await recordingOf(accountId, id);
        const source = here(known(await reached(recordings.find(call), reply), 'recording of', id), reply);
        reply.header('vary', 'Accept');
        if (formatOf(request.headers.accept, query.format, SOUNDS, 'wav') === 'mp3') {
          const made = (signal: AbortSignal) => recordingAsMp3(source, deps.mp3, signal);
          return known(await sendMade(request, reply, deps.clock, made), 'recording of', id);
        }
        const { size, changed } = source;
        const entityTag = versionTag(call.id, size, changed);
        return sendFile(request, reply, { size, entityTag, read: (range) => source.read(range) });
      },
    ),
    operation(
      {
        ...{ id: 'getCallPeaks', method: 'GET', path: '/calls/{id}/peaks', tag, scope: 'read', params },
        summary: 'Get the loudness of the recording over time, to draw it',
        query: Type.Object({
          pairs: wholeInQuery(
            1,
            PEAKS_MAX,
            `Pieces a channel, ${PEAKS_DEFAULT} without it; a recording may have fewer.`,
          ),
        }),
        answer: shapes.PeaksShape,
        errors: ELSEWHERE,
      },
      async ({ accountId, params: { id }, query, reply }) => {
        const call = await recordingOf(accountId, id);
        const pairs = Math.max(1, Math.min(PEAKS_MAX, numberOf(query.pairs) ?? PEAKS_DEFAULT));
        const kept = here(known(await reached(recordings.peaks(call), reply), 'peaks of', id), reply);
        // All there are, as they are: to read and write them again takes the thread that calls need.
        if (pairs === PEAKS_MAX) return reply.type('application/json; charset=utf-8').send(kept);
        return coarser(JSON.parse(kept) as Peaks, pairs);
      },
    ),
    operation(
      {
        ...{ id: 'eraseCall', method: 'DELETE', path: '/calls/{id}', tag, scope: 'calls', params },
        summary: 'Remove everything personal of a call, for good',
        description:
          'Numbers, words, keys, recording, SIP messages, and what it was ordered with. That there was a call and what it cost stays.',
        errors: ['not_possible'],
      },
      async ({ accountId, params: { id }, changed }) => {
        const erased = known(await store.calls.erase(id, accountId), 'call', id);
        if (erased === 'live') throw new ManageError('not_possible', sentence('refused.call-goes-on'));
        await recordings.removeOf(id).catch((error: unknown) => later(deps.logger, id, error));
        changed({ kind: 'call', id, after: { erased: true } });
        return undefined;
      },
    ),
  ];
}

/** @throws ManageError where its home does not answer, or it is encrypted with another key. */
function reached<T>(work: Promise<T>, reply: FastifyReply): Promise<T> {
  return work.catch((error: unknown) => {
    if (error instanceof UnknownSealKey) throw new ManageError('sealed', error.keyId, { cause: error });
    if (!(error instanceof RecordingHomeAway)) throw error;
    reply.header('retry-after', ASK_AGAIN_SECONDS);
    throw new ManageError('storage_away', '', { cause: error });
  });
}

/** @throws ManageError where only another gateway has it. */
function here<T>(found: T | Elsewhere, reply: FastifyReply): T {
  if (typeof found !== 'object' || found === null || !('elsewhere' in found)) return found as T;
  if (found.elsewhere === 'never') throw new ManageError('elsewhere', found.node);
  reply.header('retry-after', ASK_AGAIN_SECONDS);
  throw new ManageError('not_here_yet', found.node);
}

/** The caretaker finds what could not be removed at once. */
function later(logger: Logger, callId: string, error: unknown): void {
  logger.warn({ call_id: callId, error: errorText(error) }, 'the recording of an erased call will be removed later');
}

interface SentFile {
  readonly size: number;
  readonly entityTag: string;
  readonly read: (range: { readonly start: number; readonly end: number }) => NodeJS.ReadableStream;
}

/** The whole or the one part that is asked for (RFC 9110 §14). @throws ManageError `range_not_satisfiable`. */
function sendFile(request: FastifyRequest, reply: FastifyReply, { size, entityTag, read }: SentFile): FastifyReply {
  const isSame = request.headers['if-range'] === undefined || request.headers['if-range'] === entityTag;
  const range = isSame ? byteRange(request.headers.range, size) : 'all';
  reply.headers({ 'accept-ranges': 'bytes', etag: entityTag }).type('audio/wav');
  if (range === 'none') {
    reply.header('content-range', `bytes */${size}`);
    throw new ManageError('range_not_satisfiable');
  }
  const { start, end } = range === 'all' ? { start: 0, end: size - 1 } : range;
  if (range !== 'all') reply.code(206).header('content-range', `bytes ${start}-${end}/${size}`);
  return reply.header('content-length', end - start + 1).send(read({ start, end }));
}

/** What is made while it is sent. It ends with its client, and in any case after a while; its first piece is waited for. */
async function sendMade(
  request: FastifyRequest,
  reply: FastifyReply,
  clock: Clock,
  make: (signal: AbortSignal) => Promise<AsyncIterable<Uint8Array> | string>,
): Promise<FastifyReply | undefined> {
  const watch = watchRequest(request, reply, clock, MADE_MS_MAX);
  let first: IteratorResult<Uint8Array> | undefined;
  try {
    const made = await make(watch.signal);
    if (typeof made === 'string') return undefined; // it is no recording of ours
    const pieces = made[Symbol.asyncIterator]();
    first = await pieces.next();
    const stream = Readable.from(begunWith(first, pieces), { objectMode: false });
    addAbortSignal(watch.signal, stream).once('close', watch.close);
    return reply.header('accept-ranges', 'none').type('audio/mpeg').send(stream);
  } finally {
    if (!first) watch.close();
  }
}

async function* begunWith<T>(first: IteratorResult<T>, others: AsyncIterator<T>): AsyncGenerator<T> {
  try {
    if (!first.done) yield first.value;
    for (let next = await others.next(); !next.done; next = await others.next()) yield next.value;
  } finally {
    await others.return?.(undefined);
  }
}
