import { type AfterCallEngine, type Agent, languageOf } from '../../core/agent.ts';
import type { CallAnalysis } from '../../core/call-analysis.ts';
import { ServiceError } from '../../core/errors.ts';
import type { TellUse } from '../../core/service-use.ts';
import { momentOf, weekdayNames, weekdayOf } from '../../language/calendar/calendar.ts';
import type { EngineGuard } from '../guard.ts';
import { cross, hasStandIn } from '../privacy/crossing.ts';
import { authored } from '../privacy/outbound.ts';
import { believed } from './believed.ts';
import type { ToldTurn } from './call-tally.ts';
import type { CallClaim, CallModel, OutboundCall } from './contract.ts';

/** Of a call, the latest; whole turns. */
const CHARS_MAX = 12_000;
const TURNS_MAX = 200;

/** A call that is over, with what its dialogue says of it. */
export interface CallToRead {
  readonly agent: Pick<Agent, 'definition'>;
  readonly turns: readonly ToldTurn[];
  readonly startedAt: Date;
  readonly base: CallAnalysis;
  /** Told what services were sent for it. */
  readonly used?: TellUse;
}

export interface CallAnalystDeps {
  readonly model: CallModel;
  readonly guard: EngineGuard;
  readonly timeZone: string;
  /** For agents that say nothing about it. */
  readonly byDefault: AfterCallEngine;
}

/**
 * Has calls read by a model, behind the privacy boundary of their agent, and lets in of its claims what the words of the call
 * hold. What it gets wrong leaves what the dialogue knows.
 */
export class CallAnalyst {
  readonly counters = { read: 0, believed: 0 };

  constructor(private readonly deps: CallAnalystDeps) {}

  /** Whether the agent wants its calls read: by its own word, else by that of the gateway, unless it keeps away from models. */
  reads({ definition: { afterCall, replyEngine } }: CallToRead['agent']): boolean {
    if (!afterCall) return false;
    return (afterCall.engine ?? (replyEngine === 'scripted' ? 'dialogue' : this.deps.byDefault)) === 'openai';
  }

  /** @throws ServiceError where the model does not answer. Aborting rejects. */
  async read(
    { agent: { definition }, turns, startedAt, base, used }: CallToRead,
    signal: AbortSignal,
  ): Promise<CallAnalysis> {
    const heard = latest(turns.filter(({ role, text }) => role !== 'person' && text.trim() !== ''));
    if (!heard.some(({ role }) => role === 'caller')) return base;
    const { privacy = 'redact', afterCall = {} } = definition;
    const history = heard.map(({ role, text }) => ({ role: role as 'caller' | 'agent', text }));
    const crossing = cross({ text: '', history, variables: {}, defaults: {}, menus: false }, privacy);
    if (crossing.type === 'withheld') return base;
    const { outcomes = [], fields = [], summary = false } = afterCall;
    const { today } = momentOf(startedAt, this.deps.timeZone);
    const { year, month, day } = today;
    const asked: OutboundCall = {
      ...{ turns: crossing.texts.history, language: languageOf(definition.language), fields, summary },
      day: authored(`${weekdayNames(weekdayOf(today)).en} ${year}-${two(month)}-${two(day)}`),
      outcomes: outcomes.filter(({ done, result }) => !done && !result),
      ...(used && { used }),
    };
    const claim = await this.#claim(asked, signal);
    const restored = (text: string): string => {
      const restorer = crossing.createRestorer();
      const whole = restorer.push(text) + restorer.end();
      return privacy !== 'off' && hasStandIn(whole) ? '' : whole; // of a value that nobody gave
    };
    const own = { ...claim, words: restored(claim.words), summary: restored(claim.summary) };
    const values = claim.fields.map((one) => ({ ...one, value: restored(one.value), words: restored(one.words) }));
    const result = believed(
      base,
      { ...own, fields: values },
      { turns: heard, day: today, definition },
      this.deps.model.name,
    );
    this.counters.read += 1;
    if (result !== base) this.counters.believed += 1;
    return result;
  }

  async #claim(call: OutboundCall, signal: AbortSignal): Promise<CallClaim> {
    const { model, guard } = this.deps;
    const own = model.available();
    if (!own.ok) throw new ServiceError('unavailable', '', { cause: new Error(own.why) });
    const claim = await guard.call((inner) => model.claim(call, inner), signal);
    if (!claim) throw signal.reason;
    return claim;
  }
}

const two = (figure: number): string => String(figure).padStart(2, '0');

function latest(turns: readonly ToldTurn[]): readonly ToldTurn[] {
  let chars = 0;
  const from = turns.findLastIndex(({ text }, at) => {
    chars += text.length;
    return chars > CHARS_MAX || turns.length - at > TURNS_MAX;
  });
  return turns.slice(from + 1);
}
