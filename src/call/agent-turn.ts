import type { Language } from '../core/agent.ts';
import type { Clock } from '../core/clock.ts';
import type { CallAction, ReplyEngine, ReplyRequest } from '../engines/reply/contract.ts';
import type { MediaPort } from '../media/media-port.ts';
import type { CallerTurnRecord } from './caller-turn.ts';
import { type Synthesize, Utterance } from './speech-output.ts';
import type { AnswerTimes, TurnLog } from './turn-log.ts';

export interface AgentTurnDeps {
  readonly port: MediaPort;
  readonly synthesize: Synthesize;
  readonly clock: Clock;
  readonly log: TurnLog;
}

export interface AgentTurnHandlers {
  /** The first audio exists: the caller's turn is over for good. */
  audio(): void;
  /** All was played, and recorded. */
  done(turn: AgentTurn): void;
  failed(error: unknown): void;
}

/**
 * One thing the agent says, as an answer to `caller` or (without one) as the gateway's own words: text streams from the
 * reply engine into an utterance; the action waits for the last word. Recorded once, with what was heard.
 */
export class AgentTurn {
  readonly times: AnswerTimes;
  action: CallAction | undefined;
  language: Language | undefined;
  readonly #abort = new AbortController();
  readonly #utterance: Utterance;
  #callerLogged = false;
  #over = false;

  constructor(
    private readonly deps: AgentTurnDeps,
    private readonly handlers: AgentTurnHandlers,
    private readonly caller?: CallerTurnRecord,
  ) {
    this.times = {
      endpointMs: caller?.endpointMs ?? deps.clock.nowMs(),
      ...(caller?.spoken && { speechEndMs: caller.endMs }),
      ...(caller?.finalMs !== undefined && { finalMs: caller.finalMs }),
    };
    this.#utterance = new Utterance(deps.port, deps.synthesize, deps.clock, {
      firstAudio: (atMs) => {
        this.times.firstAudioMs = atMs;
        this.logCaller();
        handlers.audio();
      },
      firstPacket: (atMs) => {
        this.times.firstPacketMs = atMs;
      },
      done: () => this.#done(),
      failed: (error) => {
        if (!this.#over) handlers.failed(error);
      },
    });
  }

  /** True once a transfer or hang-up was decided: an interruption never discards control. */
  get decisive(): boolean {
    return this.action?.type === 'transfer' || this.action?.type === 'hangup';
  }

  /** Speaks the engine's answer as it streams. */
  async ask(engine: ReplyEngine, request: ReplyRequest): Promise<void> {
    try {
      for await (const event of engine.reply(request, this.#abort.signal)) {
        if (this.#over) return;
        if (event.type === 'action') {
          this.action = event.action;
          continue;
        }
        this.times.firstTextMs ??= this.deps.clock.nowMs();
        this.language = event.language;
        this.#utterance.say(event.text, event.language);
      }
    } catch (error) {
      if (!this.#over) this.handlers.failed(error);
      return;
    }
    this.#utterance.finish();
  }

  /** Speaks one given text. */
  say(text: string, language: Language): void {
    this.language = language;
    this.#utterance.say(text, language);
    this.#utterance.finish();
  }

  /** Moves audio on; called every 20 ms. */
  pump(): void {
    this.#utterance.pump();
  }

  /** Cuts it, and records what was heard. @returns what was not. */
  stop(): string {
    if (this.#over) return '';
    this.#over = true;
    this.#abort.abort();
    const { heard, unheard, heardMs } = this.#utterance.cut();
    if (heard !== '') this.#record(heard, heardMs);
    return unheard;
  }

  /** The caller's turn goes into the record before the answer to it, and only once it is sure to be over. */
  logCaller(): void {
    if (this.#callerLogged || !this.caller) return;
    this.#callerLogged = true;
    this.deps.log.caller(this.caller);
  }

  #done(): void {
    if (this.#over) return;
    this.#over = true;
    this.logCaller();
    if (this.#utterance.text !== '') this.#record(this.#utterance.text, this.#utterance.heardMs);
    this.handlers.done(this);
  }

  #record(text: string, heardMs: number): void {
    const { characters } = this.#utterance;
    this.deps.log.agent({ text, heardMs, times: this.times, characters, reply: this.caller !== undefined });
  }
}
