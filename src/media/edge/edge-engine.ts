import { type Clock, repeat } from '../../core/clock.ts';
import type { Dictionary } from './bencode.ts';
import { type EngineEvent, type EngineState, nextEngineState } from './engine-state.ts';
import type { NgClient, NgProblem, NgReply } from './ng-client.ts';

export interface EdgeEngineOptions {
  readonly name: string; // host:port
  readonly weight: number;
  readonly client: Pick<NgClient, 'ask' | 'localAddress' | 'close'>;
  readonly clock: Clock;
  readonly pingMs: number;
  /** Of one command: how rtpengine answered, or that it did not. */
  readonly onAsked: (command: string, result: 'answered' | 'silent') => void;
  readonly onChange: (state: EngineState) => void;
}

/** One rtpengine: asked all the time whether it is there, and known by every answer. */
export class EdgeEngine {
  #state: EngineState = 'unknown';
  #losses = 0;
  #pinging = false;
  readonly #stop: () => void;

  constructor(private readonly options: EdgeEngineOptions) {
    this.#stop = repeat(options.clock, options.pingMs, () => void this.ping());
  }

  get name(): string {
    return this.options.name;
  }
  get weight(): number {
    return this.options.weight;
  }
  get state(): EngineState {
    return this.#state;
  }
  /** How often it fell silent: what it held before may be gone. */
  get losses(): number {
    return this.#losses;
  }
  /** Ours, as it sees us. */
  get localAddress(): string | undefined {
    return this.options.client.localAddress;
  }

  /** Resolves when it has answered, or has not. */
  async ping(): Promise<void> {
    if (this.#pinging) return;
    this.#pinging = true;
    await this.ask('ping');
    this.#pinging = false;
  }

  /** Never rejects. */
  async ask(command: string, more?: Dictionary): Promise<NgReply | NgProblem> {
    const reply = await this.options.client.ask(command, more);
    const event = reply === 'silent' ? 'silent' : 'answered';
    this.options.onAsked(command, reply === 'full' ? 'silent' : event);
    if (reply !== 'full') this.#go(event);
    return reply;
  }

  /** Idempotent. */
  close(): void {
    this.#stop();
    this.options.client.close();
  }

  #go(event: EngineEvent): void {
    const next = nextEngineState(this.#state, event);
    if (!next) return;
    if (next === 'down') this.#losses += 1;
    this.#state = next;
    this.options.onChange(next);
  }
}
