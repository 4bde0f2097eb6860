import type {
  InputAudioBufferCommittedEvent as Committed,
  ConversationItemInputAudioTranscriptionCompletedEvent as Completed,
  ConversationItemInputAudioTranscriptionDeltaEvent as Delta,
  RealtimeError,
  RealtimeTranscriptionSessionCreateRequest as Session,
} from 'openai/resources/realtime/realtime';
import type { WebSocket } from 'ws';
import { decodeMulaw } from '../../src/audio/g711.ts';

/** What the service makes of one stretch, from one commit to the next. */
export interface RealtimeHeard {
  readonly text: string;
  /**
   * - `whole`: `committed`, then its text. - `twice`: its text comes again. - `uncommitted`: the text alone, as of some servers.
   * - `behind`: its text comes after that of the next one. - `unsettled`: its words one by one, and never all of them.
   */
  readonly as?: 'whole' | 'twice' | 'uncommitted' | 'behind' | 'unsettled';
}

export interface RealtimeSetup {
  /** Why a session is not taken. */
  readonly judge: (session: Session) => RealtimeError | undefined;
  readonly hears: (samples: Int16Array) => RealtimeHeard;
  readonly answered: () => void;
}

interface Asked {
  readonly type?: string;
  readonly session?: Session;
  readonly audio?: string;
}

const RATES: Readonly<Record<string, number>> = { 'audio/pcmu': 8_000, 'audio/pcm': 24_000 };
const COMMIT_MS_MIN = 100;
/** A model that tells words as it goes has told this many of them before the stretch is whole. */
const EARLY_EVERY_MS = 1_000;

/** One transcription session of the realtime API, in the order of events of its reference. */
export class RealtimeListening {
  readonly sessions: Session[] = [];
  pings = 0;
  readonly #pieces: Buffer[] = [];
  #open: Buffer[] = []; // of the stretch
  #openBytes = 0;
  #items = 0;
  #told = 0; // words of the stretch
  #behind: (() => void) | undefined;

  constructor(
    private readonly socket: WebSocket,
    private readonly setup: RealtimeSetup,
  ) {
    socket.on('ping', () => {
      this.pings += 1;
    });
  }

  /** What came, as it came: mu-law, or samples. */
  get audio(): Buffer {
    return Buffer.concat(this.#pieces);
  }
  get format(): string {
    return this.sessions.at(-1)?.audio?.input?.format?.type ?? '';
  }

  get language(): string | undefined {
    return this.sessions.at(-1)?.audio?.input?.transcription?.language;
  }

  greet(): void {
    this.#tell({ type: 'session.created', session: { type: 'transcription' } });
  }

  keep(data: Buffer): void {
    const { type, audio = '' } = JSON.parse(data.toString('utf8')) as Asked;
    if (type === 'input_audio_buffer.append') this.#pieces.push(Buffer.from(audio, 'base64'));
  }

  take(data: Buffer): void {
    const asked = JSON.parse(data.toString('utf8')) as Asked;
    if (asked.type === 'session.update') this.#configure(asked.session as Session);
    else if (asked.type === 'input_audio_buffer.append') this.#onAudio(asked.audio);
    else if (asked.type === 'input_audio_buffer.commit') this.#commit();
    else this.fail({ type: 'invalid_request_error', code: 'unknown_event', message: `no ${asked.type}` });
  }

  fail(error: RealtimeError): void {
    this.#tell({ type: 'error', error });
  }

  failItem(error: Omit<RealtimeError, 'message'>): void {
    const item_id = `item_${this.#items + 1}`;
    this.#tell({ type: 'conversation.item.input_audio_transcription.failed', item_id, content_index: 0, error });
  }

  #configure(session: Session): void {
    const error = this.setup.judge(session);
    if (error) return this.fail(error);
    this.sessions.push(session);
    this.#tell({ type: 'session.updated', session });
  }

  #onAudio(audio: string | undefined): void {
    const piece = typeof audio === 'string' ? Buffer.from(audio, 'base64') : Buffer.alloc(0);
    if (piece.length === 0) return this.fail({ type: 'invalid_request_error', code: 'invalid_audio', message: 'none' });
    this.#pieces.push(piece);
    this.#open.push(piece);
    this.#openBytes += piece.length;
    if (!/^gpt-realtime/.test(this.sessions.at(-1)?.audio?.input?.transcription?.model ?? '')) return;
    const words = this.#wordsOf(this.setup.hears(this.#samples()).text);
    while (this.#told < words.length && this.#told < Math.floor(this.#openMs / EARLY_EVERY_MS)) {
      this.#delta(words[this.#told]!);
      this.#told += 1;
    }
  }

  get #openMs(): number {
    const bytesPerMs = ((RATES[this.format] ?? 24_000) * (this.format === 'audio/pcmu' ? 1 : 2)) / 1000;
    return this.#openBytes / bytesPerMs;
  }

  #samples(): Int16Array {
    const bytes = Buffer.concat(this.#open);
    return this.format === 'audio/pcmu' ? decodeMulaw(bytes) : new Int16Array(new Uint8Array(bytes).buffer);
  }

  #commit(): void {
    if (this.#openMs < COMMIT_MS_MIN) {
      const code = 'input_audio_buffer_commit_empty';
      return this.fail({ type: 'invalid_request_error', code, message: `${this.#openMs} ms` });
    }
    const { text, as = 'whole' } = this.setup.hears(this.#samples());
    const previous = this.#items === 0 ? null : `item_${this.#items}`;
    const words = this.#wordsOf(text).slice(this.#told);
    const item = `item_${this.#items + 1}`;
    if (as !== 'uncommitted') {
      this.#tell({
        type: 'input_audio_buffer.committed',
        item_id: item,
        previous_item_id: previous,
      } satisfies Told<Committed>);
    }
    for (const word of words) this.#delta(word);
    this.#items += 1;
    this.#open = [];
    this.#openBytes = 0;
    this.#told = 0;
    this.setup.answered();
    const complete = (): void => this.#complete(item, text);
    const due = this.#behind;
    this.#behind = as === 'behind' ? complete : undefined;
    if (as !== 'behind' && as !== 'unsettled') complete();
    if (as === 'twice') complete();
    due?.();
  }

  #wordsOf(text: string): string[] {
    return text.match(/\S+\s*/g) ?? [];
  }

  #delta(delta: string): void {
    const item_id = `item_${this.#items + 1}`;
    const type = 'conversation.item.input_audio_transcription.delta';
    this.#tell({ type, item_id, content_index: 0, delta } satisfies Told<Delta>);
  }

  #complete(item_id: string, transcript: string): void {
    const type = 'conversation.item.input_audio_transcription.completed';
    const usage = { type: 'duration', seconds: 1 } as const;
    const logprobs = this.#wordsOf(transcript).map((token) => ({ token, logprob: -0.1, bytes: [] }));
    this.#tell({ type, item_id, content_index: 0, transcript, usage, logprobs } satisfies Told<Completed>);
  }

  #tell(event: object): void {
    this.socket.send(JSON.stringify({ event_id: 'event', ...event }));
  }
}

type Told<Event> = Omit<Event, 'event_id'>;

/** Why the service would not take a session, whoever sends it. */
export function sessionProblem(session: Session): RealtimeError | undefined {
  const { format, transcription, turn_detection: turns } = session.audio?.input ?? {};
  const isRate = format?.type === 'audio/pcm' ? format.rate === 24_000 : RATES[format?.type ?? ''] !== undefined;
  const isLanguage = transcription?.language === undefined || /^[a-z]{2}$/.test(transcription.language);
  const isPrompt = transcription?.prompt === undefined || !/^gpt-realtime/.test(transcription.model ?? '');
  const isManual = turns === null;
  if (session.type === 'transcription' && isRate && isLanguage && isPrompt && isManual && transcription?.model) {
    return undefined;
  }
  return { type: 'invalid_request_error', code: 'invalid_value', message: JSON.stringify(session) };
}
