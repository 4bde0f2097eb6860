import type { Language } from '../core/agent.ts';
import type { CallAction, ReplyEngine, ReplyRequest } from '../engines/reply/contract.ts';
import { AgentTurn, type AgentTurnDeps, type AgentTurnHandlers } from './agent-turn.ts';
import type { CallerTurnRecord } from './caller-turn.ts';
import type { ConversationSettings } from './conversation-settings.ts';

export interface AgentVoiceDeps extends AgentTurnDeps {
  readonly reply: ReplyEngine;
  readonly settings: Pick<ConversationSettings, 'replyTimeoutMs' | 'synthesisTimeoutMs'>;
}

/** What the agent is saying or about to say: one turn at a time, its text and its audio in time. */
export class AgentVoice {
  /** From being asked for to its last sample, or to `stop`. */
  turn: AgentTurn | undefined;

  constructor(
    private readonly deps: AgentVoiceDeps,
    private readonly handlers: AgentTurnHandlers,
  ) {}

  /** The gateway's own words, and what is done after them. */
  say(text: string, language: Language, action?: CallAction): void {
    this.#begin().say(text, language, action);
  }

  /** Words that the dialogue does not know of. */
  aside(text: string, language: Language): void {
    this.#begin().say(text, language, undefined, true);
  }

  /** The reply engine's answer to `caller`, spoken as it streams. */
  ask(request: ReplyRequest, caller: CallerTurnRecord): void {
    void this.#begin(caller).ask(this.deps.reply, request);
  }

  /** Until when `tick` has nothing to do. */
  get restsUntilMs(): number {
    return this.turn?.restsUntilMs ?? Number.POSITIVE_INFINITY;
  }

  /** Moves audio on, and notices what does not come; called every 20 ms but on hold, where everything waits. */
  tick(nowMs: number): void {
    this.turn?.pump();
    const { replyTimeoutMs, synthesisTimeoutMs } = this.deps.settings;
    const { turn } = this;
    if (!turn || turn.audible) return;
    const limitMs = turn.input ? replyTimeoutMs + synthesisTimeoutMs : synthesisTimeoutMs;
    if (nowMs - turn.times.endpointMs > limitMs) this.handlers.failed(new Error('no answer in time'));
  }

  /** Cuts what is being said. @param why - where the caller spoke over it. @returns what the caller did not hear. */
  stop(why?: 'interrupted'): string {
    const { turn } = this;
    this.turn = undefined;
    return turn?.stop(why) ?? '';
  }

  #begin(caller?: CallerTurnRecord): AgentTurn {
    const { handlers } = this;
    const done = (turn: AgentTurn): void => {
      this.turn = undefined;
      handlers.done(turn);
    };
    this.turn = new AgentTurn(this.deps, { ...handlers, done }, caller);
    return this.turn;
  }
}
