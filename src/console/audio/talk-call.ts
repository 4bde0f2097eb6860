import { EarLatency } from './ear-latency.ts';
import type { Level } from './levels.ts';
import { MicrophoneError } from './microphone-problem.ts';
import { Sound } from './sound.ts';
import type { FromSpeaker, HeardPiece, ToSpeaker } from './sound-messages.ts';
import { readTalkFrame } from './talk-frames.ts';
import type { TalkEvent, TalkProblem } from './talk-state.ts';

/** Agents speak at the rate of telephones: more would be sent for nothing. */
const RATE_HZ = 8_000;
/** What may wait to be sent. A connection that takes no more is slower than speech. */
const UNSENT_S_MAX = 2;
const SAMPLE_BYTES = 2;
/** The gateway says what it thinks of the call before it closes; a network that is gone says nothing. */
const GOODBYE_MS_MAX = 3_000;

/** A token for one call, and where it is good for. */
export interface TalkPass {
  readonly token: string;
  readonly socket: string;
  readonly minute_cents: number;
}

export interface TalkCallDeps {
  readonly levels: { readonly own: Level; readonly agent: Level };
  /** @throws ApiError. */
  readonly pass: () => Promise<TalkPass>;
  readonly tell: (event: TalkEvent) => void;
}

/** One call from the browser: microphone, socket, loudspeaker. Ends once, whoever ends it. */
export class TalkCall {
  readonly #deps: TalkCallDeps;
  #sound: Sound | undefined;
  #socket: WebSocket | undefined;
  #say: ((message: ToSpeaker) => void) | undefined;
  #ear: EarLatency | undefined;
  #isOpen = false;
  #inputRateHz = RATE_HZ; // of what is said, as the gateway wants it
  #isOver = false;
  #goodbye: ReturnType<typeof setTimeout> | undefined;

  constructor(deps: TalkCallDeps) {
    this.#deps = deps;
  }

  /** To be called by a click. Never rejects: what goes wrong is told. */
  async start(): Promise<void> {
    const { pass, tell } = this.#deps;
    tell({ type: 'start' });
    try {
      const sound = await Sound.open();
      if (this.#isOver) return sound.close();
      this.#sound = sound;
      tell({ type: 'connect' });
      const given = await pass();
      if (this.#isOver) return;
      tell({ type: 'priced', minuteCents: given.minute_cents });
      this.#connect(sound, given);
    } catch (error) {
      this.#end({ type: 'problem', problem: problemFrom(error) });
    }
  }

  mute(isMuted: boolean): void {
    this.#sound?.mute(isMuted);
  }

  press(digits: string): void {
    this.#send({ type: 'dtmf', digits });
  }

  /** The gateway answers with how the call ended; where it does not, the call is over all the same. */
  hangUp(): void {
    if (!this.#isOpen) return this.#end({ type: 'cancelled' });
    this.#send({ type: 'end' });
    this.#say?.({ type: 'clear' });
    this.#goodbye ??= setTimeout(() => this.#end({ type: 'closed' }), GOODBYE_MS_MAX);
  }

  /** Ends it without waiting for anybody. */
  close(): void {
    this.#end({ type: 'closed' });
  }

  #connect(sound: Sound, { socket: path, token }: TalkPass): void {
    const url = new URL(path, location.href);
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    url.searchParams.set('token', token);
    const socket = new WebSocket(url);
    this.#socket = socket;
    socket.binaryType = 'arraybuffer';
    socket.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
      if (typeof data === 'string') this.#hearFrame(sound, data);
      else this.#say?.({ type: 'audio', samples: new Int16Array(data, 0, data.byteLength >> 1) });
    };
    socket.onclose = () => this.#end({ type: 'closed' });
  }

  #hearFrame(sound: Sound, text: string): void {
    const frame = readTalkFrame(text);
    if (!frame) return;
    if (frame.type === 'authenticated') this.#begin(frame);
    if (frame.type === 'opened') this.#open(sound);
    if (frame.type === 'mark') return this.#say?.(frame);
    if (frame.type === 'clear') this.#say?.(frame);
    if (frame.type === 'transcript' && frame.text.trim() !== '') this.#ear?.words();
    if (frame.type === 'ended' || frame.type === 'error') this.#end({ type: 'frame', frame });
    else this.#deps.tell({ type: 'frame', frame });
  }

  #begin({ input_sample_rate: inputRateHz = RATE_HZ }: { readonly input_sample_rate?: number }): void {
    this.#inputRateHz = inputRateHz;
    this.#send({ type: 'start', sample_rate: RATE_HZ, input_sample_rate: inputRateHz });
  }

  #open(sound: Sound): void {
    this.#isOpen = true;
    this.#ear = new EarLatency(sound.delays);
    this.#say = sound.speak(RATE_HZ, (message) => this.#played(message));
    sound.hear(
      this.#inputRateHz,
      (piece) => this.#heard(piece),
      () => this.#end({ type: 'problem', problem: problemFrom(new MicrophoneError('missing')) }),
    );
  }

  #heard({ samples, level, atS }: HeardPiece): void {
    this.#ear?.piece(level, atS);
    this.#deps.levels.own.tell(level);
    const socket = this.#socket;
    if (socket?.readyState !== WebSocket.OPEN) return;
    if (socket.bufferedAmount < UNSENT_S_MAX * this.#inputRateHz * SAMPLE_BYTES) socket.send(samples);
  }

  #played(message: FromSpeaker): void {
    if (message.type === 'mark') this.#send(message);
    else if (message.type === 'level') this.#deps.levels.agent.tell(message.level);
    else {
      const earMs = this.#ear?.sounded(message.atS);
      if (earMs !== undefined) this.#deps.tell({ type: 'answerHeard', earMs });
    }
  }

  #send(frame: { readonly type: string; readonly [field: string]: unknown }): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(frame));
  }

  #end(event: TalkEvent): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#goodbye);
    this.#socket?.close();
    this.#sound?.close();
    this.#deps.levels.own.tell(0);
    this.#deps.levels.agent.tell(0);
    this.#deps.tell(event);
  }
}

function problemFrom(error: unknown): TalkProblem {
  if (error instanceof MicrophoneError) return { code: `microphone.${error.problem}`, message: error.message };
  const { code = 'unreachable', message, requestId } = error as Partial<TalkProblem> & Error;
  return { code, message, requestId };
}
