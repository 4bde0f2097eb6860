import { createWriteStream, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type {
  NormalizeBody,
  ReplyBody,
  SpeechBody,
  SpeechStreamBody,
  TranscriptFrame,
  VoicesQuery,
} from '../client/api-client.ts';
import { OperatorError } from '../core/errors.ts';
import { inputAudio, wavAudio } from './live-audio.ts';
import { emit, facts, money, paint, table } from './output.ts';
import { fileOf, type ServiceContext } from './service.ts';

/** What the commands over the public API do. With `--json` each prints the answer of the service as it is. */

export interface SayOrder {
  readonly body: SpeechBody;
  readonly out: string; // a file, or - for standard output
  readonly stream: boolean;
}

export async function say(context: ServiceContext, { body, out, stream }: SayOrder): Promise<void> {
  const made = stream ? await sayStreamed(context, body, out) : await sayWhole(context, body, out);
  if (out === '-') return; // Standard output is the audio.
  emit(context.out, { file: out, ...made }, () =>
    facts(context.out, [
      ['file', `${out}, ${made.bytes} bytes, ${made.content_type}`],
      ...(made.duration_ms === undefined ? [] : ([['length', `${(made.duration_ms / 1000).toFixed(2)} s`]] as const)),
      ['cost', money(made.cost_cents)],
    ]),
  );
}

interface Said {
  readonly bytes: number;
  readonly content_type: string;
  readonly duration_ms?: number;
  readonly cost_cents: number;
}

async function sayWhole({ client, options }: ServiceContext, body: SpeechBody, out: string): Promise<Said> {
  const { bytes, contentType, durationMs, costCents } = await client.createSpeech(body, options);
  if (out === '-') await pipeline(Readable.from([bytes]), process.stdout, { end: false });
  else writeFileSync(out, bytes);
  return { bytes: bytes.length, content_type: contentType, duration_ms: durationMs, cost_cents: costCents };
}

async function sayStreamed({ client, options }: ServiceContext, body: SpeechBody, out: string): Promise<Said> {
  const facts = { content_type: '', cost_cents: 0 };
  let bytes = 0;
  const onHeaders = (headers: Headers): void => {
    facts.content_type = headers.get('content-type') ?? '';
    facts.cost_cents = Number(headers.get('x-service-cost-cents'));
  };
  // The service says what it does not stream. Nothing is written before there is audio.
  const pieces = client.streamSpeech(body as SpeechStreamBody, { ...options, onHeaders });
  const first = await pieces.next();
  const all = async function* (): AsyncGenerator<Uint8Array> {
    for (let next = first; !next.done; next = await pieces.next()) {
      bytes += next.value.length;
      yield next.value;
    }
  };
  if (out === '-') await pipeline(all(), process.stdout, { end: false });
  else await pipeline(all(), createWriteStream(out));
  return { bytes, ...facts };
}

export async function transcribe(context: ServiceContext, path: string, language: string | undefined): Promise<void> {
  const file = new Blob([fileOf(path)]);
  const request = { file, filename: basename(path), ...(language !== undefined && { language }) };
  const transcript = await context.client.transcribe(request, context.options);
  emit(context.out, transcript, () =>
    facts(context.out, [
      ['text', transcript.text === '' ? '(nobody spoke)' : transcript.text],
      ['length', `${transcript.seconds.toFixed(2)} s`],
      ['confidence', transcript.confidence.toFixed(2)],
      ['cost', money(transcript.cost_cents)],
    ]),
  );
}

export interface LiveOrder {
  readonly path: string; // a WAV file, or - for raw audio on standard input
  readonly language?: string;
  readonly rate: number;
  readonly encoding: 'pcm' | 'mulaw';
}

/** Prints finals as they settle, and with `--json` all of them when the session is done. Ctrl+C ends what is said. */
export async function transcribeLive(context: ServiceContext, order: LiveOrder): Promise<void> {
  const { out, client, options } = context;
  const { path, language, rate, encoding } = order;
  const announced = { sample_rate: rate, encoding };
  const audio = path === '-' ? inputAudio(process.stdin, announced) : wavAudio(path);
  const live = await client.transcribeLive({ ...audio.start, ...(language !== undefined && { language }) }, options);
  const onInterrupt = (): void => live.stop();
  process.once('SIGINT', onInterrupt);
  void send(live, audio.pieces);
  const finals: TranscriptFrame[] = [];
  try {
    for await (const frame of live) {
      if (frame.type === 'done') {
        const { seconds, cost_cents } = frame;
        emit(out, { transcripts: finals, seconds, cost_cents }, () =>
          out.write(`${paint(out, 'dim', `${seconds.toFixed(2)} s, cost ${money(cost_cents)}`)}\n`),
        );
      } else if (frame.final) {
        finals.push(frame);
        if (!out.json) out.write(`${out.color ? '\r\u001b[K' : ''}${frame.text}\n`);
      } else if (out.color) out.write(`\r\u001b[K${paint(out, 'dim', frame.text)}`);
    }
  } finally {
    process.off('SIGINT', onInterrupt);
    if (path === '-') process.stdin.destroy();
  }
}

type Live = Awaited<ReturnType<ServiceContext['client']['transcribeLive']>>;

async function send(live: Live, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    for await (const piece of pieces) await live.write(piece);
  } catch {
    // Input that breaks off is the end of what is said.
  }
  live.stop();
}

export async function reply(context: ServiceContext, agent: string, body: ReplyBody, audio?: string): Promise<void> {
  const { out, client, options } = context;
  let action: string | null = null;
  const onHeaders = (headers: Headers): void => {
    options.onHeaders?.(headers);
    action = headers.get('x-service-action');
  };
  const id = await agentId(context, agent);
  const answer = await client.createAgentReply(id, { ...body, audio: audio !== undefined }, { ...options, onHeaders });
  if (audio !== undefined && answer.audio !== null) writeFileSync(audio, Buffer.from(answer.audio, 'base64'));
  const { audio: _audio, ...withoutAudio } = answer;
  emit(out, audio === undefined ? answer : { ...withoutAudio, file: audio }, () =>
    facts(out, [
      ['reply', answer.reply],
      ...(action === null ? [] : ([['action', action]] as const)),
      ...(audio === undefined ? [] : ([['file', `${audio}, ${answer.content_type}`]] as const)),
      ['cost', money(answer.cost_cents)],
    ]),
  );
}

/** An agent by id or by name. */
async function agentId({ client }: ServiceContext, wanted: string): Promise<string> {
  if (wanted.startsWith('agt_')) return wanted;
  const { agents } = await client.listAgents();
  const matching = agents.filter(({ name }) => name.toLowerCase() === wanted.toLowerCase());
  if (matching.length === 1) return matching[0]!.id;
  const known = agents.map(({ id, name }) => `${name} (${id})`).join(', ') || 'none';
  throw new OperatorError(`No single agent ${wanted}. There are: ${known}`);
}

export async function showVoices({ out, client }: ServiceContext, query: VoicesQuery): Promise<void> {
  const list = await client.listVoices(query);
  emit(out, list, () =>
    table(
      out,
      ['id', 'name', 'gender', 'age', 'language', 'dialect', 'models'],
      list.voices.map((voice) => [
        ...[voice.id, voice.name, voice.gender, voice.age, voice.language, voice.dialect],
        voice.supported_models.join(' '),
      ]),
    ),
  );
}

export async function showVoice({ out, client }: ServiceContext, id: string): Promise<void> {
  const voice = await client.getVoice(id);
  emit(out, voice, () =>
    facts(out, [
      ['voice', `${voice.id} (${voice.name})`],
      ['speaker', `${voice.gender}, ${voice.age}, ${voice.country}`],
      ['language', `${voice.language}, dialect ${voice.dialect}`],
      ['styles', voice.styles.join(', ')],
      ['models', voice.supported_models.join(', ')],
      ['about', voice.description],
      ['sample', JSON.stringify(voice.sample_request)],
    ]),
  );
}

export async function redact({ out, client, options }: ServiceContext, text: string): Promise<void> {
  const report = await client.redactText({ text }, options);
  emit(out, report, () => {
    out.write(`${report.redacted}\n\n`);
    facts(out, [
      ['verdict', paint(out, report.verdict === 'allow' ? 'green' : 'yellow', report.verdict)],
      ['cost', money(report.cost_cents)],
    ]);
    if (report.findings.length === 0) return;
    out.write('\n');
    table(
      out,
      ['kind', 'action', 'value', 'why'],
      report.findings.map(({ kind, action, value, why }) => [kind, action, value, why]),
    );
  });
}

export async function normalize({ out, client, options }: ServiceContext, body: NormalizeBody): Promise<void> {
  const result = await client.normalizeText(body, options);
  emit(out, result, () => out.write(`${result.normalized}\n`));
}

export async function coverage({ out, client, options }: ServiceContext, text: string): Promise<void> {
  const report = await client.checkCoverage({ text }, options);
  emit(out, report, () => {
    const { coverage: share, flagged_count, token_count, language } = report;
    out.write(`${(share * 100).toFixed(1)} % of ${token_count} tokens (${language}), ${flagged_count} flagged\n`);
    if (report.flagged.length === 0) return;
    table(
      out,
      ['token', 'reason', 'hint'],
      report.flagged.map(({ token, reason, hint }) => [token, reason, hint]),
    );
  });
}

export async function ask({ out, client, options }: ServiceContext, path: string, question: string): Promise<void> {
  const request = { file: new Blob([fileOf(path)]), filename: basename(path), question };
  const answer = await client.askDocument(request, options);
  emit(out, answer, () => {
    out.write(`${paint(out, answer.answered ? 'green' : 'yellow', answer.answer)}\n`);
    for (const quote of answer.quotes) out.write(`  > ${quote}\n`);
    out.write(`${paint(out, 'dim', `cost ${money(answer.cost_cents)}`)}\n`);
  });
}
