import { ApiError } from '../../api/client.ts';
import type { Level } from '../../audio/levels.ts';
import { Sound } from '../../audio/sound.ts';
import type { HeardPiece } from '../../audio/sound-messages.ts';
import type { HeardStretch } from './strip-geometry.ts';
import { askV1, readJson } from './v1.ts';

/** Recognisers that know more than a telephone take this; others are given half of it by the gateway. */
const RATE_HZ = 16_000;
/** 20 ms each, of which two or three make a bar of 50 ms. */
const PIECES_PER_S = 50;
const DONE_MS_MAX = 10_000;
/** What may wait to be sent: two seconds. */
const UNSENT_BYTES_MAX = 2 * 2 * RATE_HZ;
/** Ten minutes: for longer there is the API. */
export const LIVE_S_MAX = 600;

export interface LiveState {
  readonly phase: 'microphone' | 'connecting' | 'listening' | 'finishing' | 'done';
  /** Loudness, 20 a second. */
  readonly bars: readonly number[];
  readonly stretches: readonly HeardStretch[];
  readonly interim: string;
  readonly seconds: number | undefined;
  readonly costCents: number | undefined;
}
export const NOTHING_HEARD: LiveState = {
  ...{ phase: 'microphone', bars: [], stretches: [], interim: '', seconds: undefined, costCents: undefined },
};

interface Frame {
  readonly type: string;
  readonly text?: string;
  readonly final?: boolean;
  readonly confidence?: number;
  readonly start?: number;
  readonly end?: number;
  readonly seconds?: number;
  readonly cost_cents?: number;
  readonly error?: { readonly code: string; readonly message: string };
}

/** Words while they are spoken, over the socket of the public API. */
export class LiveTranscription {
  #state: LiveState = NOTHING_HEARD;
  #sound: Sound | undefined;
  #socket: WebSocket | undefined;
  #pieces: number[] = [];
  #isOver = false;
  #patience: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly level: Level,
    private readonly onState: (state: LiveState) => void,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** To be called by a click. Never rejects. */
  async start(language: string): Promise<void> {
    this.#tell(NOTHING_HEARD);
    try {
      const sound = await Sound.open();
      if (this.#isOver) return sound.close();
      this.#sound = sound;
      this.#tell({ phase: 'connecting' });
      const { value } = await askV1<{ readonly token: string }>({ path: '/v1/transcribe/token' }, readJson);
      if (!this.#isOver) this.#connect(value.token, language);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** No more is said: what is still missing comes, and the price. */
  stop(): void {
    if (this.#state.phase !== 'listening') return this.close();
    this.#send({ type: 'stop' });
    this.#sound?.close();
    this.#tell({ phase: 'finishing' });
    this.#patience = setTimeout(() => this.#fail(lost()), DONE_MS_MAX);
  }

  close(): void {
    this.#isOver = true;
    clearTimeout(this.#patience);
    this.#sound?.close();
    this.#socket?.close();
    this.level.tell(0);
  }

  #connect(token: string, language: string): void {
    const url = new URL('/v1/transcribe/ws', location.href);
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    url.searchParams.set('token', token);
    const socket = new WebSocket(url);
    this.#socket = socket;
    socket.onmessage = ({ data }: MessageEvent<unknown>) => {
      const frame = frameOf(data);
      if (frame) this.#hear(frame, language);
    };
    socket.onclose = () => this.#fail(lost());
  }

  #hear(frame: Frame, language: string): void {
    switch (frame.type) {
      case 'authenticated':
        return this.#send({ type: 'start', language, sample_rate: RATE_HZ });
      case 'opened':
        this.#tell({ phase: 'listening' });
        return this.#sound?.hear(
          RATE_HZ,
          (piece) => this.#say(piece),
          () => this.stop(),
        );
      case 'transcript':
        return this.#transcript(frame);
      case 'done':
        this.#tell({ phase: 'done', interim: '', seconds: frame.seconds, costCents: frame.cost_cents });
        return this.close();
      case 'error':
        return this.#fail(new ApiError(frame.error?.code ?? 'unreachable', frame.error?.message ?? '', 0));
    }
  }

  #transcript({ text = '', final, start = 0, end = start, confidence }: Frame): void {
    if (!final) return this.#tell({ interim: text });
    const stretches = text === '' ? [] : [{ text, startS: start, endS: end, confidence }];
    this.#tell({ interim: '', stretches: [...this.#state.stretches, ...stretches] });
  }

  #say({ samples, level }: HeardPiece): void {
    this.level.tell(level);
    const socket = this.#socket;
    if (socket?.readyState === WebSocket.OPEN && socket.bufferedAmount < UNSENT_BYTES_MAX) socket.send(samples);
    this.#pieces.push(level);
    // Drawn five times a second: twenty would be seen by nobody and cost a core.
    if (this.#pieces.length % (PIECES_PER_S / 5) === 0) this.#tell({ bars: barsOfPieces(this.#pieces) });
    if (this.#pieces.length >= LIVE_S_MAX * PIECES_PER_S) this.stop();
  }

  #send(frame: object): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(frame));
  }

  #tell(change: Partial<LiveState>): void {
    if (this.#isOver) return;
    this.#state = { ...this.#state, ...change };
    this.onState(this.#state);
  }

  #fail(error: unknown): void {
    if (this.#isOver) return;
    this.close();
    this.onError(error);
  }
}

/** Loudness as it is drawn, from pieces of 20 ms: five of them make two bars. A level is about a third of a peak. */
function barsOfPieces(levels: readonly number[]): number[] {
  return Array.from({ length: Math.floor((levels.length * 2) / 5) }, (_none, bar) => {
    const from = Math.floor((bar * 5) / 2);
    return Math.min(1, Math.max(...levels.slice(from, from + 3)) * 3);
  });
}

const lost = (): ApiError => new ApiError('unreachable', 'The connection closed before the session was complete.', 0);

function frameOf(data: unknown): Frame | undefined {
  try {
    return JSON.parse(String(data)) as Frame;
  } catch {
    return undefined;
  }
}
