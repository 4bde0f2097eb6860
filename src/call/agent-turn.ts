import type { Language } from '../core/agent.ts';
import type { Clock } from '../core/clock.ts';
import { OVER } from '../core/over.ts';
import { type TurnDetails, type TurnNotes, UNHEARD_CHARS_MAX, withNotes } from '../core/turn-details.ts';
import type { CallAction, ReplyEngine, ReplyRequest } from '../engines/reply/contract.ts';
import type { CallObserver } from './call-observer.ts';
import type { CallerTurnRecord } from './caller-turn.ts';
import type { AgentAudio } from './line.ts';
import { type Synthesize, Utterance } from './speech-output.ts';
import type { AnswerTimes, ToolTime, TurnLog } from './turn-log.ts';

export interface AgentTurnDeps {
  readonly port: AgentAudio;
  readonly synthesize: Synthesize;
  readonly clock: Clock;
  readonly log: TurnLog;
  readonly observer?: CallObserver;
}

export interface AgentTurnHandlers {
  /** The first audio exists: the caller's turn is over for good. */
  audio(turn: AgentTurn): void;
  /** A transfer or the end was decided: it comes after the last word, and no interruption discards it. */
  decided(turn: AgentTurn): void;
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
  /** What it answers; undefined for the gateway's own words. */
  input: ReplyRequest['input'] | undefined;
  language: Language | undefined;
  readonly #abort = new AbortController();
  readonly #utterance: Utterance;
  #callerLogged = false;
  #notes: TurnNotes = {}; // of the engine, on what it answers
  readonly #tools: ToolTime[] = []; // bounded: what a turn may call is
  #confidence: number | undefined;
  #cutAtMs: number | undefined; // the caller interrupted it
  #over = false;
  /** The dialogue does not know of it. */
  aside = false;

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
        handlers.audio(this);
      },
      firstPacket: (atMs) => {
        this.times.firstPacketMs = atMs;
      },
      done: () => this.#done(),
      failed: (error) => handlers.failed(error), // not after `cut`
    });
  }

  /** True once a transfer or hang-up was decided. */
  get decisive(): boolean {
    return this.action?.type === 'transfer' || this.action?.type === 'hangup';
  }
  /** True once there was something to hear. */
  get audible(): boolean {
    return this.times.firstAudioMs !== undefined;
  }

  /** Speaks the engine's answer as it streams. */
  async ask(engine: ReplyEngine, request: ReplyRequest): Promise<void> {
    this.input = request.input;
    this.#confidence = request.confidence;
    const note = (notes: TurnNotes): void => {
      this.#notes = withNotes(this.#notes, notes);
      const endMs = this.deps.clock.nowMs();
      for (const { ms, ...tool } of notes.tools ?? []) this.#tools.push({ ...tool, startMs: endMs - ms, endMs });
    };
    try {
      for await (const event of engine.reply({ ...request, note }, this.#abort.signal)) {
        if (this.#over) return;
        if (event.type === 'action') {
          this.action = event.action;
          if (this.decisive) this.handlers.decided(this);
          continue;
        }
        this.times.firstTextMs ??= this.deps.clock.nowMs();
        this.language = event.language;
        await this.#say(event.text, event.language);
      }
    } catch (error) {
      if (!this.#over) this.handlers.failed(error);
      return;
    }
    this.#utterance.finish();
  }

  /** Speaks one given text, and does `action` after it. `aside`: it is on record, and no part of the dialogue. */
  say(text: string, language: Language, action?: CallAction, aside = false): void {
    this.action = action;
    this.aside = aside;
    this.language = language;
    void this.#say(text, language);
    this.#utterance.finish();
  }

  #say(text: string, language: Language): Promise<void> | undefined {
    if (text.trim() !== '') this.deps.observer?.({ type: 'says', text });
    return this.#utterance.say(text, language);
  }

  /** Until then its audio moves on by itself. */
  get restsUntilMs(): number {
    return this.#utterance.restsUntilMs;
  }

  /** Moves audio on; called every 20 ms, or when it rests no more. */
  pump(): void {
    this.#utterance.pump();
  }

  /** Nothing more is made of it: what exists is played, then it is done. */
  leaveOff(): void {
    this.#abort.abort(OVER);
    this.#utterance.leaveOff();
  }

  /** Cuts it, and records what was heard. @param why - where the caller spoke over it. @returns what was not heard. */
  stop(why?: 'interrupted'): string {
    if (this.#over) return '';
    this.#over = true;
    if (why && this.audible) this.#cutAtMs = this.deps.clock.nowMs();
    this.#abort.abort(OVER);
    const { heard, unheard, heardMs } = this.#utterance.cut();
    if (heard !== '') this.#record(heard, heardMs, why ? unheard : '');
    return unheard;
  }

  /** The caller's turn goes into the record before the answer to it, and only once it is sure to be over. */
  logCaller(): void {
    if (this.#callerLogged || !this.caller) return;
    this.#callerLogged = true;
    this.deps.log.caller(this.caller, this.#heardDetails());
  }

  #done(): void {
    if (this.#over) return;
    this.#over = true;
    this.logCaller();
    const { heard, heardMs } = this.#utterance.heard();
    if (heard !== '') this.#record(heard, heardMs);
    this.handlers.done(this);
  }

  #record(text: string, heardMs: number, unheard = ''): void {
    const { characters } = this.#utterance;
    const { times, caller } = this;
    const { tools } = this.#notes;
    const details = {
      ...{ ...(tools && { tools }), ...(this.action && { action: this.action.type }) },
      ...(unheard !== '' && { unheard: unheard.slice(0, UNHEARD_CHARS_MAX) }),
      ...(caller?.pause && { pause: caller.pause() }),
    };
    this.deps.log.agent({
      ...{ text, heardMs, times, characters, reply: caller !== undefined, aside: this.aside, details },
      tools: this.#tools,
      ...(this.#cutAtMs !== undefined && { cutAtMs: this.#cutAtMs }),
    });
  }

  /** How the caller's turn was taken. */
  #heardDetails(): TurnDetails {
    const { tools: _, ...noted } = this.#notes;
    const { input, caller } = this;
    const notes = {
      ...noted,
      ...(caller?.pauses && { pauses: caller.pauses }),
      ...(caller?.voice && { voice: caller.voice }),
    };
    if (input === undefined || input === 'silence') return notes;
    return { ...notes, input, ...(input === 'speech' && { confidence: Math.round(this.#confidence! * 100) / 100 }) };
  }
}
