import { type Agent, type Localized, languageOf, localize } from '../../core/agent.ts';
import type { Clock } from '../../core/clock.ts';
import { ServiceError } from '../../core/errors.ts';
import { sentence } from '../../core/notice.ts';
import type { TurnNotes } from '../../core/turn-details.ts';
import { momentOf } from '../../language/calendar/calendar.ts';
import { clip, MAX_INPUT_CHARS } from '../../language/fold.ts';
import { sentencesOf } from '../../language/sentences.ts';
import { spokenIn } from '../../language/spoken-language.ts';
import type { SlotValue } from '../../language/values/slot.ts';
import type { AgentDocuments, Passage } from '../document/contract.ts';
import { MODEL_TOOL_LIMITS, type ToolSource } from '../tools/contract.ts';
import type { Heard } from './acts/act.ts';
import { type CompiledAgent, CompiledAgents } from './compiled-agent.ts';
import type { ReplyEngine, ReplyEvent, ReplyExpectation, ReplyRequest, Turn } from './contract.ts';
import { certainWithout, hear, takeTurn } from './dialogue.ts';
import type { DialogueState } from './dialogue-state.ts';
import { documentNote } from './document-note.ts';
import { QUOTED_FROM, quotedPassage } from './document-quote.ts';
import { expectationOf } from './expectation.ts';
import { runActions } from './flow-runner.ts';
import { handoverOf } from './handover.ts';
import type { HttpToolLimits } from './http-tool.ts';
import { isKeys, menuText } from './keypad.ts';
import type { Proposal } from './proposal/proposal.ts';
import { type Proposer, sceneOf } from './proposal/proposer.ts';
import { speakable } from './proposal/speakable.ts';
import { offerMenu, questionOf } from './questions.ts';
import { ReplayMemo, replay } from './replay.ts';
import { STOCK } from './stock-phrases.ts';
import { fillTemplate } from './template.ts';
import type { Fetcher } from './tool-fetcher.ts';
import { RecentCalls, readyTool, type ToolAction, withFiller } from './tool-turn.ts';
import { type Line, TurnDraft, type TurnOutcome, type TurnSetting } from './turn-draft.ts';

export interface ScriptedReplyDeps {
  readonly clock: Clock;
  /** HTTP tools of flows; without it they answer with their `otherwise`. */
  readonly fetcher?: Fetcher;
  /** What models may call: here it is agreed on and done. */
  readonly tools?: ToolSource;
  readonly limits?: Partial<ScriptedReplyLimits>;
  /** Where `tomorrow` is tomorrow. */
  readonly timeZone?: string;
  /** Agents made ready, with somebody else who needs them too; without it, its own. */
  readonly agents?: CompiledAgents;
  /** Asked about sentences that are not certain without it; what it proposes is judged by the same rules. */
  readonly proposer?: Proposer;
  /** What agents answer from where they have nothing to say themselves. */
  readonly documents?: Pick<AgentDocuments, 'find'>;
  /** What was called a moment ago, with others who answer the same conversations; without it, its own. */
  readonly calls?: RecentCalls;
  /** Told of every turn that was decided, with its reasons. */
  readonly onTurn?: (outcome: TurnOutcome) => void;
}
export interface ScriptedReplyLimits extends HttpToolLimits {
  /** Below this confidence of the recogniser a wish is asked back before it is acted on. */
  readonly trustedConfidence: number;
  /** Longest wait for what the documents say. */
  readonly documentsMs: number;
  /** Tools a single turn may call. */
  readonly maxToolsPerTurn: number;
  /** Silence of a tool after which the caller is told that it takes a moment. */
  readonly fillerAfterMs: number;
}

export const DEFAULT_LIMITS: ScriptedReplyLimits = {
  timeoutMs: 4_000,
  maxBytes: 65_536,
  trustedConfidence: 0.35,
  documentsMs: 400,
  maxToolsPerTurn: 3,
  fillerAfterMs: MODEL_TOOL_LIMITS.fillerAfterMs,
};
export const DEFAULT_TIME_ZONE = 'Asia/Riyadh';
const NOTHING: Proposal = { acts: [], say: '' };
const CLOSED = { ok: false, why: sentence('engine.reply-closed') } as const;

/**
 * The scripted-dialogue engine: an agent of intents, flows and knowledge, without a language model. Deterministic; the
 * dialogue is rebuilt from the history at every call. `http` tools are the only thing it waits for.
 */
export function createScriptedReplyEngine(deps: ScriptedReplyDeps): DialogueEngine {
  return new ScriptedDialogueEngine(deps);
}

/** What the dialogue is in the middle of, with the values it has by then. */
export interface UnderWay {
  readonly flow: string;
  readonly values: Readonly<Record<string, string>>;
}

/** The dialogue for somebody who begins flows in its place, and leaves it to what is agreed on. */
export interface DialogueEngine extends ReplyEngine {
  /** Compiles an agent in steps. @throws ServiceError `reply_failed` for one that is none. */
  prepare(agent: Agent): Promise<void>;
  /**
   * The flow that `history` stands in; undefined where nothing is asked, and where a read-back was not heard with all of its
   * values: nobody agrees to that.
   */
  underWay(request: Pick<ReplyRequest, 'agent' | 'history' | 'variables' | 'mode'>): UnderWay | undefined;
  /** How a flow is read back with these values, as if the dialogue itself had come to that. */
  readBack(request: ReplyRequest, flow: string, slots: Readonly<Record<string, SlotValue>>): readonly Line[];
}

/** A turn that is about to be decided. `said` is what the rules take: `?` for speech of which nothing was recognised. */
interface Turning {
  readonly agent: CompiledAgent;
  readonly state: DialogueState;
  readonly text: string;
  readonly said: string;
  readonly heard: Heard | undefined;
}

class ScriptedDialogueEngine implements DialogueEngine {
  readonly name = 'scripted-dialogue';
  readonly #agents: CompiledAgents;
  readonly #memo = new ReplayMemo();
  readonly #calls: RecentCalls;
  readonly #limits: ScriptedReplyLimits;
  #closed = false;

  constructor(private readonly deps: ScriptedReplyDeps) {
    this.#limits = { ...DEFAULT_LIMITS, ...deps.limits };
    this.#agents = deps.agents ?? new CompiledAgents();
    this.#calls = deps.calls ?? new RecentCalls(deps.clock);
  }

  available(): ReturnType<ReplyEngine['available']> {
    return this.#closed ? CLOSED : { ok: true };
  }

  greeting(agent: Agent, variables: Readonly<Record<string, string>>, mode: ReplyRequest['mode']): string {
    const { definition } = agent;
    const language = languageOf(definition.language);
    const value = (name: string): string | undefined =>
      ownValue(variables, name) ?? ownValue(definition.variables ?? {}, name);
    const greeting = fillTemplate(localize(definition.greeting, language), value);
    if (mode === 'keypad') {
      return `${greeting} ${STOCK.keysOnly[language][0]} ${menuText(this.#agents.get(agent), language)}`.trim();
    }
    // While it is said; what is wrong with the agent is told when it is asked.
    this.#agents.prepare(agent).catch(() => {});
    return greeting;
  }

  async *reply(request: ReplyRequest, signal: AbortSignal): AsyncGenerator<ReplyEvent> {
    if (this.#closed) throw new ServiceError('unavailable', '', { cause: CLOSED.why });
    if (signal.aborted) return;
    await this.prepare(request.agent);
    if (signal.aborted) return;
    const setting = this.#setting(request);
    const turn = this.#turn(request, setting);
    const { agent, text } = turn;
    const proposal = await this.#proposal(turn, request, setting, signal);
    if (signal.aborted) return;
    const own = takeTurn(agent, turn.state, turn.said, setting, proposal, turn.heard);
    const best = own.unanswered ? await this.#passage(turn, request, signal) : undefined;
    if (signal.aborted) return;
    const passage = best && quotedPassage(best, own.state.language);
    const outcome = passage
      ? takeTurn(agent, turn.state, turn.said, { ...setting, passage }, proposal, turn.heard)
      : own;
    const byModel = proposal !== undefined && proposal !== NOTHING;
    const claim = { understood: outcome.understood, acts: outcome.tool !== undefined, byModel };
    if (request.claim?.(claim) === false) return;
    this.deps.onTurn?.(outcome);
    if (request.input !== 'silence') request.note?.(notesOf(outcome, best));
    for (const event of linesToEvents(outcome.lines)) {
      if (signal.aborted) return;
      yield event;
    }
    const last = outcome.tool ? yield* this.#tools(agent, outcome, setting, request, signal) : outcome;
    if (signal.aborted) return;
    if (last.action) yield { type: 'action', action: last.action };
    else if (request.mode === 'keypad' && (isKeys(text) || request.input !== 'speech')) {
      const { collect } = expectationOf(agent, last.state);
      const { minDigits: _, ...rule } = collect;
      if (rule.maxDigits > 1) yield { type: 'action', action: { type: 'collect', ...rule } };
    }
  }

  async prepare(agent: Agent): Promise<void> {
    try {
      await this.#agents.prepare(agent);
    } catch (cause) {
      throw new ServiceError('reply_failed', '', { cause }); // an agent file that no schema has seen
    }
  }

  underWay(request: Parameters<DialogueEngine['underWay']>[0]): UnderWay | undefined {
    const agent = this.#agents.get(request.agent);
    const { state } = replay(agent, request.history, this.#setting({ ...request, confidence: 1 }), this.#memo);
    const flow = agent.flows.get(state.flow ?? '');
    if (!flow || state.pending.kind === 'open') return undefined;
    const isCut = state.pending.kind === 'confirm-flow' && flow.slots.some(({ name }) => !state.slots[name]);
    return isCut ? undefined : { flow: flow.name, values: valuesOf(state.slots) ?? {} };
  }

  readBack(request: ReplyRequest, flow: string, slots: Readonly<Record<string, SlotValue>>): readonly Line[] {
    const agent = this.#agents.get(request.agent);
    const setting = this.#setting(request);
    const { state } = replay(agent, request.history, setting, this.#memo);
    const said = spokenIn(request.text)?.language ?? request.language;
    const language = said && agent.languages.includes(said) ? said : state.language;
    const draft = new TurnDraft(agent, { ...state, language, flow, slots, pending: { kind: 'confirm-flow' } }, setting);
    questionOf(draft);
    return draft.lines;
  }

  #turn(request: ReplyRequest, setting: TurnSetting): Turning {
    try {
      const agent = this.#agents.get(request.agent);
      const { state } = replay(agent, request.history, setting, this.#memo);
      const text = request.input === 'silence' ? '' : clip(request.text, MAX_INPUT_CHARS);
      // Speech of which nothing was recognised is not silence: the caller did say something.
      const said = text.trim() === '' && request.input !== 'silence' ? '?' : text;
      return { agent, state, text, said, heard: hear(agent, state, said, setting) };
    } catch (cause) {
      throw new ServiceError('reply_failed', '', { cause }); // an agent file that no schema has seen
    }
  }

  /** What the agent's documents say, where they surely answer. */
  async #passage({ text }: Turning, request: ReplyRequest, signal: AbortSignal): Promise<Passage | undefined> {
    const { documents } = this.deps;
    if (!documents || request.input !== 'speech' || text.trim() === '') return undefined;
    const wish = { limit: 1, withinMs: this.#limits.documentsMs };
    const [best] = await documents.find(request.agent, text, wish, signal);
    return best && best.score >= QUOTED_FROM ? best : undefined;
  }

  /** What a model makes of a sentence that is not certain without it. One that is away or late has no say. */
  async #proposal(
    { agent, state, said, heard }: Turning,
    request: ReplyRequest,
    setting: TurnSetting,
    signal: AbortSignal,
  ): Promise<Proposal | undefined> {
    const { proposer } = this.deps;
    if (!proposer) return undefined;
    if (certainWithout(agent, state, said, setting, heard) !== undefined) return NOTHING; // with the reason in the trace
    try {
      const proposal = await proposer.propose(request, sceneOf(agent, state), signal);
      if (!proposal) return undefined;
      const { say, leftOut } = speakable(agent, proposal.say);
      return { acts: proposal.acts, say, leftOut: [...(proposal.leftOut ?? []), ...leftOut] };
    } catch (error) {
      return { acts: [], say: '', leftOut: [`everything: ${error instanceof ServiceError ? error.code : 'failed'}`] };
    }
  }

  expects(agent: Agent, history: readonly Turn[], variables: Readonly<Record<string, string>>): ReplyExpectation {
    const compiled = this.#agents.get(agent);
    const setting = this.#setting({ variables, mode: 'voice', confidence: 1 });
    const { state } = replay(compiled, history, setting, this.#memo);
    const { transfer } = compiled.definition;
    const isTold = transfer?.mode !== undefined && transfer.mode !== 'blind';
    const expectation = {
      ...expectationOf(compiled, state),
      ...(isTold && { handover: handoverOf(compiled, state, setting, history) }),
    };
    if (!state.left) return expectation;
    const draft = new TurnDraft(compiled, { ...state, ...state.left, attempts: 0 }, setting);
    questionOf(draft);
    return { ...expectation, resume: draft.lines.map(({ text }) => text).join(' ') };
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#memo.clear();
  }

  #setting(request: Pick<ReplyRequest, 'variables' | 'mode' | 'confidence'>): TurnSetting {
    return {
      ...momentOf(this.deps.clock.utc(), this.deps.timeZone ?? DEFAULT_TIME_ZONE),
      mode: request.mode,
      variables: request.variables,
      trusted: !(request.confidence < this.#limits.trustedConfidence),
    };
  }

  /** Runs the tools a flow waits for, says what they answer and goes on with the flow's other actions. */
  async *#tools(
    agent: CompiledAgent,
    outcome: TurnOutcome,
    setting: TurnSetting,
    request: ReplyRequest,
    signal: AbortSignal,
  ): AsyncGenerator<ReplyEvent, TurnOutcome> {
    let call = outcome.tool;
    const draft = new TurnDraft(agent, call?.state ?? outcome.state, setting);
    draft.facts = call?.facts ?? {};
    let said = textOf(outcome.lines);
    for (let calls = 0; call && calls < this.#limits.maxToolsPerTurn; calls += 1) {
      const action = call.actions[call.index] as ToolAction;
      const { clock } = this.deps;
      const tool = readyTool(action, draft, request, { ...this.deps, limits: this.#limits });
      const startMs = clock.nowMs();
      const filler = (): ReplyEvent => fillerEvent(tool.filler, draft);
      const wait = { clock, afterMs: this.#limits.fillerAfterMs, said, signal };
      const result = yield* withFiller(this.#calls.call(tool, request, calls, signal), filler, wait);
      const { label } = tool;
      const ms = Math.round(clock.nowMs() - startMs);
      request.note?.({ tools: [{ tool: label, outcome: result.ok ? 'ok' : result.why, ms }] });
      if (signal.aborted) return draft.finish();
      const spokenSoFar = draft.lines.length;
      const { actions, index } = call;
      draft.tool = undefined;
      if (result.ok) {
        draft.facts = { ...draft.facts, ...result.facts };
        if (localize(action.then, draft.language) !== '') draft.answer(action.then);
        else draft.stock('toolDone');
        runActions(draft, actions, index + 1);
      } else if (localize(action.otherwise, draft.language) !== '') draft.answer(action.otherwise);
      else draft.stock('toolTrouble');
      const lines = draft.lines.slice(spokenSoFar);
      said = textOf(lines);
      yield* linesToEvents(lines);
      call = draft.tool;
    }
    draft.set(outcome.state);
    const spoken = draft.lines.length;
    offerMenu(draft);
    yield* linesToEvents(draft.lines.slice(spoken));
    return draft.finish();
  }
}

/** How a turn was taken, as the record of a call keeps it. */
function notesOf({ state, meant, understood, done, trace }: TurnOutcome, passage: Passage | undefined): TurnNotes {
  const rule = passage ? 'document' : trace.at(-1)?.rule;
  const flow = state.flow ?? done.at(-1)?.flow;
  const isOver = state.flow === undefined;
  const slots = valuesOf(isOver ? done.at(-1)?.slots : state.slots);
  const settled = valuesOf(Object.assign({}, ...done.map((one) => one.slots)));
  return {
    ...{ understood, meant, ...(rule !== undefined && { rule }), ...(flow !== undefined && { flow }) },
    ...(slots && { slots }),
    ...(!isOver && state.confirmed.length > 0 && { confirmed: state.confirmed }),
    ...(done.length > 0 && { done: done.map(({ flow: name }) => name) }),
    ...(settled && !(isOver && done.length === 1) && { settled }),
    ...(passage && { documents: [documentNote(passage, true)] }),
  };
}

function valuesOf(slots: DialogueState['slots'] = {}): Readonly<Record<string, string>> | undefined {
  const values = Object.entries(slots).map(([name, { value }]) => [name, String(value)]);
  return values.length > 0 ? Object.fromEntries(values) : undefined;
}

const textOf = (lines: readonly Line[]): string => lines.map(({ text }) => text).join(' ');

function fillerEvent(filler: Localized | undefined, { language }: TurnDraft): ReplyEvent {
  return { type: 'text', text: localize(filler, language) || STOCK.toolMoment[language][0]!, language };
}

function ownValue(values: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

function linesToEvents(lines: readonly Line[]): ReplyEvent[] {
  return lines.flatMap(({ text, language }) =>
    sentencesOf(text).map((sentence) => ({ type: 'text' as const, text: sentence, language })),
  );
}
