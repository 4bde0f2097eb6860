import type { Agent } from '../../core/agent.ts';
import type { Clock } from '../../core/clock.ts';
import type { CompiledAgents } from './compiled-agent.ts';
import type { Turn } from './contract.ts';
import { takeTurn } from './dialogue.ts';
import type { DialogueState } from './dialogue-state.ts';
import { ReplayMemo, replay } from './replay.ts';
import { calendarDay } from './slots/calendar.ts';
import type { DoneFlow, TraceStep } from './turn-draft.ts';

/** Why a scripted agent answers what it answers. */
export interface Explanation {
  readonly steps: readonly TraceStep[];
  readonly meant: readonly string[]; // ids of meanings, in the order they were served
  readonly done: readonly DoneFlow[];
  readonly state: DialogueState; // after the turn
}

/** The same turn that the reply engine takes, with its reasons; pure but for the day. */
export class Explainer {
  readonly #memo = new ReplayMemo();

  constructor(
    private readonly clock: Clock,
    private readonly timeZone: string,
    private readonly agents: CompiledAgents,
  ) {}

  explain(agent: Agent, history: readonly Turn[], text: string): Explanation {
    const compiled = this.agents.get(agent);
    const today = calendarDay(this.clock.utc(), this.timeZone);
    const setting = { today, mode: 'voice', variables: {}, trusted: true } as const;
    const { state } = replay(compiled, history, setting, this.#memo);
    const { trace, meant, done, state: after } = takeTurn(compiled, state, text, setting);
    return { steps: trace, meant, done, state: after };
  }
}
