import type {
  IDetailedSpeechPhrase,
  IPhrase,
  ISpeechDetected,
  ISpeechHypothesis,
  RecognitionStatus,
} from 'microsoft-cognitiveservices-speech-sdk/distrib/lib/src/common.speech/Exports.js';
import type { SpeechContext } from 'microsoft-cognitiveservices-speech-sdk/distrib/lib/src/common.speech/ServiceMessages/SpeechContext.js';
import type { WebSocket } from 'ws';
import { MULAW_DECODE } from '../../src/audio/g711.ts';
import type { Clock, Timer } from '../../src/core/clock.ts';
import { type AzureMessage, azureText, readAzureMessage, type Wire } from './azure-messages.ts';
import { AudioTape } from './speech-service.ts';

/** What the service makes of one turn. */
export interface AzureHeard {
  readonly text: string;
  readonly language?: string; // ar-SA
  /**
   * - `whole`: all words with the end of the turn. - `early`: all were settled before it.
   * - `twice`: phrase and end come twice. - `unended`: the end does not come. - `cut-short`: the turn is ended while it is spoken.
   * - `wordless`: speech was heard to end, and no more is said.
   */
  readonly as?: 'whole' | 'early' | 'twice' | 'unended' | 'cut-short' | 'wordless';
  /** Instead of words: what is wrong with the request. */
  readonly status?: keyof typeof RecognitionStatus;
}

export interface AzureListenSetup {
  readonly query: URLSearchParams;
  readonly clock: Clock;
  /** What of it is heard; asked again for the same turn when a connection was lost before it was answered. */
  readonly hears: (samples: Int16Array) => AzureHeard;
  readonly answered: () => void;
}

type Phrase = Required<Pick<IDetailedSpeechPhrase, 'NBest' | 'Offset' | 'Duration' | 'DisplayText'>> &
  Pick<IDetailedSpeechPhrase, 'PrimaryLanguage'> & { RecognitionStatus: keyof typeof RecognitionStatus };

/** Words of a turn that is still being spoken come at this pace. */
export const AZURE_WORD_MS = 200;
const INTERIM_MS = 500;
const SETTLE_MS = 3_000;
const IDLE_MS = 180_000;
const WAV_BYTES = 44;
const FORMATS: Readonly<Record<number, 'pcm' | 'mulaw'>> = { 1: 'pcm', 7: 'mulaw' };
const ticks = (ms: number): number => Math.round(ms * 10_000);

interface Turn {
  readonly requestId: string;
  readonly context: Wire<SpeechContext>;
  format: 'pcm' | 'mulaw' | undefined;
  rateHz: number;
  readonly samples: number[];
  settledMs: number;
  interimMs: number;
  wordsSettled: number;
}

/** One connection that listens, in the order of messages that the service's protocol has. */
export class AzureListening extends AudioTape {
  readonly contexts: Wire<SpeechContext>[] = [];
  /** Every message that came, by its path; audio once a turn. */
  readonly order: string[] = [];
  pings = 0;
  /** Why it hung up. */
  problem: string | undefined;
  #configured = false;
  #turn: Turn | undefined;
  #over = ''; // the last turn that was ended
  #idle: Timer | undefined;

  constructor(
    private readonly socket: WebSocket,
    private readonly setup: AzureListenSetup,
  ) {
    super();
    this.#mindIdle();
    socket.on('close', () => setup.clock.clearTimer(this.#idle));
    socket.on('ping', () => {
      this.pings += 1;
    });
  }

  take(data: Buffer, isBinary: boolean): void {
    this.#mindIdle();
    const message = readAzureMessage(data, isBinary);
    if (typeof message === 'string') return this.#refuse(message);
    if (this.order.at(-1) !== message.path) this.order.push(message.path);
    if (message.path === 'speech.config') this.#configured = true;
    else if (message.path === 'speech.context') this.#onContext(message);
    else if (message.path === 'audio' && isBinary) this.#onAudio(message);
    else if (message.path !== 'telemetry') this.#refuse(`an unknown path: ${message.path}`);
  }

  #onContext({ requestId, body }: AzureMessage): void {
    if (!this.#configured) return this.#refuse('no speech.config before the first turn');
    if (this.#turn) return this.#refuse('a turn before the end of the last one');
    const context = JSON.parse(body.toString('utf8')) as Wire<SpeechContext>;
    this.contexts.push(context);
    const turn = { requestId, context, format: undefined, rateHz: 0, samples: [], settledMs: 0, interimMs: 0 };
    this.#turn = { ...turn, wordsSettled: 0 };
  }

  #onAudio({ requestId, contentType, body }: AzureMessage): void {
    const turn = this.#turn;
    if (!turn && requestId === this.#over) return; // its end crossed the last of its audio
    if (!turn) return this.#refuse('audio before its context');
    if (turn.requestId !== requestId) return this.#refuse('audio of another turn');
    if (turn.format === undefined) return this.#onHeader(turn, contentType, body);
    if (body.length === 0) return this.#onEnd(turn);
    this.pieces.push(body);
    const isMulaw = turn.format === 'mulaw';
    if (isMulaw) for (const code of body) turn.samples.push(MULAW_DECODE[code]!);
    else for (let at = 0; at + 1 < body.length; at += 2) turn.samples.push(body.readInt16LE(at));
    const nowMs = msOf(turn);
    if (nowMs - turn.settledMs >= SETTLE_MS) this.#settle(turn);
    else if (nowMs - turn.interimMs >= INTERIM_MS) this.#interim(turn);
  }

  #onHeader(turn: Turn, contentType: string | undefined, header: Buffer): void {
    if (contentType !== 'audio/x-wav') return this.#refuse('audio without a type');
    if (header.length < WAV_BYTES || header.toString('latin1', 0, 4) !== 'RIFF') return this.#refuse('no WAV header');
    turn.format = FORMATS[header.readUInt16LE(20)];
    turn.rateHz = header.readUInt32LE(24);
    if (!turn.format || ![8000, 16_000].includes(turn.rateHz)) return this.#refuse('audio of another kind');
    this.#send('turn.start', turn, { context: { serviceTag: '7b1c0e540000400080000000000000a1' } });
    this.#send('speech.startDetected', turn, { Offset: 0 } satisfies Pick<ISpeechDetected, 'Offset'>);
  }

  #interim(turn: Turn): void {
    turn.interimMs = msOf(turn);
    const { words, language } = this.#words(turn, 'so far');
    if (words.length === 0) return;
    const hypothesis = {
      Text: words.map(({ Word }) => Word).join(' '),
      ...{ Offset: ticks(turn.settledMs), Duration: ticks(msOf(turn) - turn.settledMs) },
      ...(language && { PrimaryLanguage: { Language: language, Confidence: 'High' } }),
    } satisfies ISpeechHypothesis;
    this.#send('speech.hypothesis', turn, hypothesis);
    if (this.setup.hears(Int16Array.from(turn.samples)).as === 'cut-short') this.#endTurn(turn);
  }

  #settle(turn: Turn): void {
    const { words, language } = this.#words(turn, 'so far');
    if (words.length > 0) this.#phrase(turn, words, language);
    turn.wordsSettled += words.length;
    turn.settledMs = msOf(turn);
    turn.interimMs = turn.settledMs;
  }

  #onEnd(turn: Turn): void {
    const { as = 'whole', status } = this.setup.hears(Int16Array.from(turn.samples));
    const { words, language } = this.#words(turn, 'all');
    if (as === 'wordless') return this.#send('speech.endDetected', turn, { Offset: ticks(msOf(turn)) });
    this.#phrase(turn, words, language, status);
    if (as === 'twice') this.#phrase(turn, words, language);
    turn.settledMs = msOf(turn);
    if (as === 'early') this.#phrase(turn, [], undefined);
    this.#send('speech.endDetected', turn, { Offset: ticks(msOf(turn)) } satisfies Pick<ISpeechDetected, 'Offset'>);
    if (as === 'twice') this.#send('turn.end', turn, {});
    this.#endTurn(turn, as !== 'unended');
  }

  #endTurn(turn: Turn, isTold = true): void {
    if (isTold) this.#send('turn.end', turn, {});
    if (turn.samples.length > 0) this.setup.answered();
    this.#over = turn.requestId;
    this.#turn = undefined;
  }

  #words(turn: Turn, which: 'so far' | 'all') {
    const { text, language } = this.setup.hears(Int16Array.from(turn.samples));
    const all = text.split(' ').filter((word) => word !== '');
    const due = Math.floor(msOf(turn) / AZURE_WORD_MS);
    const words = all.slice(turn.wordsSettled, which === 'all' ? undefined : due).map((Word, i) => {
      const startMs = Math.min(msOf(turn), (turn.wordsSettled + i) * AZURE_WORD_MS);
      const endMs = Math.min(msOf(turn), startMs + AZURE_WORD_MS);
      return { Word, Offset: ticks(startMs), Duration: ticks(endMs - startMs) };
    });
    return { words, language };
  }

  #phrase(
    turn: Turn,
    words: NonNullable<IPhrase['Words']>,
    language: string | undefined,
    status?: AzureHeard['status'],
  ): void {
    const Display = words.map(({ Word }) => Word).join(' ');
    const Lexical = Display.toLowerCase().replace(/[^\p{L}\p{N} ]/gu, '');
    const isDetailed =
      turn.context.phraseOutput?.format === 'Detailed' || this.setup.query.get('format') === 'detailed';
    const hasWords = turn.context.phraseOutput?.detailed?.options?.includes('WordTimings') ?? false;
    const best = { Confidence: 0.87, Lexical, ITN: Display, MaskedITN: Display, Display } satisfies IPhrase;
    const phrase = {
      RecognitionStatus: status ?? (words.length > 0 ? 'Success' : 'NoMatch'),
      ...{ Offset: ticks(turn.settledMs), Duration: ticks(msOf(turn) - turn.settledMs), DisplayText: Display },
      NBest: isDetailed && words.length > 0 ? [{ ...best, ...(hasWords && { Words: words }) }] : [],
      ...(language && { PrimaryLanguage: { Language: language, Confidence: 'High' } }),
    } satisfies Phrase;
    this.#send('speech.phrase', turn, phrase);
  }

  #send(path: string, { requestId }: Turn, body: object): void {
    this.socket.send(azureText(path, requestId, body));
  }

  #refuse(problem: string): void {
    this.problem ??= problem;
    this.socket.close(1007, problem);
  }

  #mindIdle(): void {
    this.setup.clock.clearTimer(this.#idle);
    this.#idle = this.setup.clock.setTimer(IDLE_MS, () => this.socket.close(1000, 'idle'));
  }
}

function msOf({ samples, rateHz }: Turn): number {
  return rateHz === 0 ? 0 : (samples.length * 1000) / rateHz;
}
