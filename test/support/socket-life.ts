import { setTimeout as sleep } from 'node:timers/promises';
import WebSocket from 'ws';
import { DEFAULT_PRICES, liveCents } from '../../src/billing/prices.ts';
import { type Frame, pcmBytes } from './socket-rig.ts';
import { tone } from './tones.ts';

const RATE_HZ = 8_000;
const FRAME_MS = 100;
/** A sound at the beginning, then silence: what is looked at is money, and a recogniser at work would only hold it up. */
const SOUND_FRAMES = 3;
const SAMPLES = (RATE_HZ * FRAME_MS) / 1000;
const SOUND = pcmBytes(tone(300, SAMPLES, { rateHz: RATE_HZ, amplitude: 0.3 }));
const SILENCE = Buffer.alloc(SAMPLES * 2);

/** How a client ends its session: never, or after so long in one of the ways people end them. */
export const LIVES = [
  'stays',
  'never-starts',
  'stops',
  'stops-twice',
  'stops-and-closes',
  'drops',
  'sends-ahead',
] as const;
export type Life = (typeof LIVES)[number];

/** One live transcription against a real gateway, and what its client knows about it. Never throws: gateways die under it. */
export class SocketLife {
  sessionId: string | undefined;
  done: { readonly seconds: number; readonly cost_cents: number } | undefined;
  sentMs = 0;
  readonly #ws: WebSocket;
  readonly #closed: Promise<void>;
  #over = false;

  constructor(
    gateway: { readonly api: string; readonly token: string },
    readonly life: Life,
    readonly liveMs: number,
  ) {
    this.#ws = new WebSocket(`${gateway.api.replace('http', 'ws')}/v1/transcribe/ws`, {
      headers: { authorization: `Bearer ${gateway.token}` },
      perMessageDeflate: false,
    });
    this.#ws.on('error', () => {});
    this.#ws.on('message', (data) => this.#take(JSON.parse(String(data)) as Frame));
    this.#closed = new Promise((resolve) => this.#ws.once('close', () => resolve()));
    void this.#closed.then(() => {
      this.#over = true;
    });
  }

  /** What all audio that was sent costs: a session never costs more. */
  get sentCents(): number {
    return liveCents(DEFAULT_PRICES, this.sentMs);
  }

  /** Lets go of the connection, if it is still there. */
  async end(): Promise<void> {
    this.#ws.terminate();
    await this.#closed;
  }

  #take(frame: Frame): void {
    if (frame.type === 'authenticated') {
      this.sessionId = frame['session_id'] as string;
      if (this.life !== 'never-starts') this.#say({ type: 'start', language: 'en-US', sample_rate: RATE_HZ });
    } else if (frame.type === 'opened') void this.#speak();
    else if (frame.type === 'done') this.done = frame as unknown as NonNullable<SocketLife['done']>;
  }

  async #speak(): Promise<void> {
    if (this.life === 'sends-ahead') for (let i = 0; i < 90 * (1000 / FRAME_MS); i += 1) this.#send(i);
    const endMs = performance.now() + (this.life === 'stays' || this.life === 'sends-ahead' ? 600_000 : this.liveMs);
    for (let i = 0; !this.#over && performance.now() < endMs; i += 1) {
      if (this.life !== 'sends-ahead') this.#send(i);
      await sleep(FRAME_MS);
    }
    if (this.life.startsWith('stops')) this.#say({ type: 'stop' });
    if (this.life === 'stops-twice') this.#say({ type: 'stop' });
    if (this.life === 'stops-and-closes') this.#ws.close();
    if (this.life === 'drops') this.#ws.terminate();
  }

  #send(i: number): void {
    if (this.#over) return;
    this.#ws.send(i < SOUND_FRAMES ? SOUND : SILENCE, () => {});
    this.sentMs += FRAME_MS;
  }

  #say(frame: object): void {
    if (this.#ws.readyState === WebSocket.OPEN) this.#ws.send(JSON.stringify(frame), () => {});
  }
}
