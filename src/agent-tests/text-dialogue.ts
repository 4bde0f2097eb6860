import { setImmediate as nextTurn } from 'node:timers/promises';
import { BargeInPolicy, backchannelsOf } from '../call/barge-in.ts';
import { collectRule, DtmfCollector } from '../call/dtmf-collector.ts';
import { PHRASES } from '../call/phrases.ts';
import { type Agent, type Language, languageOf } from '../core/agent.ts';
import type {
  CallerDoing,
  DialogueResult,
  TestAction,
  TestAfter,
  TestDialogue,
  TestFault,
  TestStep,
  TestTurn,
} from '../core/agent-tests.ts';
import { errorText } from '../core/errors.ts';
import { sentence } from '../core/notice.ts';
import { type TurnNotes, withNotes } from '../core/turn-details.ts';
import type { ReplyEngine, ReplyRequest, Turn } from '../engines/reply/contract.ts';
import { DEFAULT_TIME_ZONE } from '../engines/reply/scripted-dialogue.ts';
import type { TurnOutcome } from '../engines/reply/turn-draft.ts';
import { faultsOf } from './expectation.ts';
import { namedIntents, valuesOf } from './outcome-names.ts';
import { heardAfter, speechMs } from './spoken-part.ts';
import { instantOf, type TestClock } from './test-clock.ts';
import { WrittenAfter } from './written-after.ts';

/** What of the turn taking decides on what is said. */
export interface TestSettings {
  readonly noInputMs: number;
  readonly maxNoInputs: number;
  readonly backchannels: readonly string[];
}

export interface TextTester {
  readonly engine: Pick<ReplyEngine, 'reply' | 'greeting' | 'expects'>;
  readonly clock: TestClock;
  readonly settings: TestSettings;
  /** What the rules decided since it was asked last. */
  readonly decided: () => readonly TurnOutcome[];
}

/** A sound so short in which nothing is recognised is no turn. */
const BRIEF_MS = 500;
const NO_FACTS = { intents: [] as string[], slots: {} as Record<string, string> };

/** What the agent's last turn was, which steps are judged by. */
interface Answered {
  reply: string;
  intents: readonly string[];
  slots: Readonly<Record<string, string>>;
  action: TestAction;
  ms: number | undefined;
}

/**
 * Holds one dialogue in text, turn by turn as a call would: keys are gathered by the rules of the moment, silences come after
 * the time that callers are given, an interruption leaves in the history what was heard by then.
 */
export class TextDialogue {
  readonly #history: Turn[] = [];
  readonly #language: Language;
  readonly #variables: Readonly<Record<string, string>>;
  readonly #bargeIn: BargeInPolicy;
  readonly #written: WrittenAfter;
  #answered: Answered;
  #silences = 0; // in a row
  #over = false;

  constructor(
    private readonly agent: Agent,
    private readonly dialogue: TestDialogue,
    private readonly tester: TextTester,
    private readonly signal: AbortSignal,
  ) {
    const { clock, engine, settings } = tester;
    const { now } = dialogue;
    clock.begin(now === undefined ? undefined : instantOf(now, DEFAULT_TIME_ZONE));
    this.#language = languageOf(agent.definition.language);
    this.#variables = { ...agent.definition.variables, ...dialogue.variables };
    this.#bargeIn = new BargeInPolicy({ bargeInMs: 0, bargeInWords: 0 }, backchannelsOf(agent, settings));
    const startMs = clock.nowMs();
    const reply = engine.greeting(agent, this.#variables, 'voice');
    this.#answered = { reply, ...NO_FACTS, action: 'none', ms: clock.nowMs() - startMs };
    this.#history.push({ role: 'agent', text: reply });
    this.#written = new WrittenAfter(agent);
    this.#written.agentSaid(reply, {}, 'none');
  }

  /** Up to the first turn that differs. Never rejects. */
  async hold(): Promise<DialogueResult> {
    const { name, line, steps } = this.dialogue;
    const startMs = this.tester.clock.nowMs();
    const turns: TestTurn[] = [];
    let why: string | undefined;
    for (const [index, step] of steps.entries()) {
      await nextTurn(); // calls of this thread go on
      if (this.signal.aborted) why = sentence('run.no-time-left');
      if (why !== undefined) break;
      const faults: TestFault[] = [];
      try {
        if (step.doing) await this.#do(step.doing, faults);
      } catch (error) {
        why = this.signal.aborted
          ? sentence('run.no-time-left')
          : sentence('run.engine-failed', { error: errorText(error) });
        break;
      }
      turns.push(this.#judged(step, index, faults));
      if (turns.at(-1)!.faults.length > 0) break;
    }
    const { after } = this.dialogue;
    if (after && why === undefined && turns.every(({ faults }) => faults.length === 0)) turns.push(this.#after(after));
    const failed = why !== undefined || turns.some(({ faults }) => faults.length > 0);
    const durationMs = Math.round(this.tester.clock.nowMs() - startMs);
    return { name, line, outcome: failed ? 'failed' : 'passed', ...(why && { why }), durationMs, turns };
  }

  #judged({ line, doing, expected }: TestStep, index: number, faults: readonly TestFault[]): TestTurn {
    const { ms, ...answered } = this.#answered;
    return {
      ...{ step: index + 1, line: expected?.line ?? line, did: doing ? doneText(doing) : '', ...answered },
      ...(expected && { expected }),
      ...(ms !== undefined && { ms: Math.ceil(ms * 10) / 10 }),
      faults: [...faults, ...(expected && faults.length === 0 ? faultsOf(expected, this.#answered) : [])],
    };
  }

  /** What is written down, as a step behind the last one. */
  #after(after: TestAfter): TestTurn {
    const nothing = { did: '', reply: '', ...NO_FACTS, action: 'none' as const };
    return { step: this.dialogue.steps.length + 1, line: after.line, ...nothing, faults: this.#written.faults(after) };
  }

  async #do(doing: CallerDoing, faults: TestFault[]): Promise<void> {
    if (this.#over) {
      const got = `one that the agent had ended (${this.#answered.action})`;
      return void faults.push({ kind: 'call', expected: 'a call that goes on', got });
    }
    switch (doing.type) {
      case 'caller':
        return this.#turn({ text: doing.says, input: 'speech', confidence: 1 });
      case 'mishears':
        return this.#turn({ text: doing.heard, input: 'speech', confidence: doing.confidence });
      case 'noise':
        return doing.ms < BRIEF_MS ? this.#nothing() : this.#turn({ text: '', input: 'speech', confidence: 0 });
      case 'keys':
        return this.#press(doing.keys);
      case 'silence':
        return this.#wait(doing.ms);
      case 'interrupt':
        return this.#interrupt(doing);
    }
  }

  /** Nobody answers what was nothing. */
  #nothing(): void {
    this.#answered = { reply: '', ...NO_FACTS, slots: this.#answered.slots, action: 'none', ms: undefined };
  }

  async #press(keys: string): Promise<void> {
    const { engine, clock } = this.tester;
    let left = keys;
    const before = { ...this.#answered };
    const replies: string[] = [];
    while (left !== '' && !this.#over) {
      const done: string[] = [];
      const rule = collectRule(engine.expects(this.agent, this.#history, this.#variables), 'voice');
      const collector = new DtmfCollector(clock, rule, (digits) => done.push(digits));
      let taken = 0;
      while (done.length === 0 && taken < left.length) collector.push(left[taken++]!);
      if (taken < left.length && collector.isHabit(left[taken]!)) taken += 1;
      collector.close();
      await this.#turn({ text: done[0] ?? left.slice(0, taken), input: 'keypad', confidence: 1 });
      replies.push(this.#answered.reply);
      left = left.slice(taken);
    }
    if (replies.length === 0) this.#answered = before;
    else this.#answered = { ...this.#answered, reply: replies.join(' ') };
  }

  /** As often as callers are asked in so long a time whether they are there. */
  async #wait(ms: number): Promise<void> {
    const { clock, settings } = this.tester;
    let leftMs = ms;
    const replies: string[] = [];
    while (leftMs >= settings.noInputMs && !this.#over) {
      leftMs -= settings.noInputMs;
      clock.wait(settings.noInputMs);
      this.#silences += 1;
      if (this.#silences > settings.maxNoInputs) {
        this.#answered = { ...this.#answered, reply: PHRASES.nobodyThere[this.#language], action: 'hangup' };
        this.#written.agentSaid(this.#answered.reply, {}, 'hangup');
        this.#over = true;
      } else {
        await this.#turn({ text: '', input: 'silence', confidence: 1 });
      }
      replies.push(this.#answered.reply);
      leftMs -= speechMs(this.#answered.reply, this.#language);
    }
    if (replies.length === 0) return this.#nothing();
    this.#answered = { ...this.#answered, reply: replies.join(' ') };
  }

  /**
   * A listening noise cuts nothing, nor does anything where the agent is not to be interrupted: it goes on, and only a question of
   * yes or no is answered by what was said meanwhile.
   */
  async #interrupt({ says, afterMs }: Extract<CallerDoing, { type: 'interrupt' }>): Promise<void> {
    const cuts = this.agent.definition.bargeIn !== 'off' && !this.#bargeIn.isBackchannel(says);
    if (!cuts && !this.#asksYesNo) return;
    const last = this.#history.at(-1);
    if (cuts && last?.role === 'agent') {
      const heard = heardAfter(last.text, this.#language, afterMs);
      this.#history.pop();
      if (heard !== '') this.#history.push({ ...last, text: heard });
    }
    await this.#turn({ text: says, input: 'speech', confidence: 1 });
  }

  get #asksYesNo(): boolean {
    const { expect } = this.tester.engine.expects(this.agent, this.#history, this.#variables).hints;
    return expect.includes('yesno') && !expect.includes('free');
  }

  async #turn({ text, input, confidence }: Pick<ReplyRequest, 'text' | 'input' | 'confidence'>): Promise<void> {
    const { engine, clock, decided } = this.tester;
    decided();
    if (input !== 'silence') this.#silences = 0;
    let notes: TurnNotes = {};
    const request: ReplyRequest = {
      note: (more) => {
        notes = withNotes(notes, more);
      },
      ...{ agent: this.agent, variables: this.#variables, mode: 'voice', text, input, confidence },
      history: [...this.#history],
    };
    const startMs = clock.nowMs();
    let firstMs: number | undefined;
    const texts: string[] = [];
    let action: TestAction = 'none';
    for await (const event of engine.reply(request, this.signal)) {
      if (event.type === 'text') {
        firstMs ??= clock.nowMs();
        texts.push(event.text);
      } else if (event.action.type !== 'collect') action = event.action.type;
    }
    this.signal.throwIfAborted();
    const reply = texts.join(' ');
    const outcome = decided().at(-1);
    const intents = outcome ? namedIntents(outcome.meant, this.agent.definition) : [];
    const ms = firstMs === undefined ? undefined : firstMs - startMs;
    this.#answered = { reply, intents, slots: outcome ? valuesOf(outcome) : {}, action, ms };
    this.#over = action !== 'none';
    this.#written.caller(text, notes);
    this.#written.agentSaid(reply, notes, action);
    if (text !== '') this.#history.push({ role: 'caller', text });
    if (reply !== '') this.#history.push({ role: 'agent', text: reply });
  }
}

/** What a caller did, for people. */
export function doneText(doing: CallerDoing): string {
  switch (doing.type) {
    case 'caller':
      return doing.says;
    case 'keys':
      return `keys ${doing.keys}`;
    case 'silence':
      return `silence of ${doing.ms / 1_000} s`;
    case 'interrupt':
      return `${doing.says} (after ${doing.afterMs} ms)`;
    case 'mishears':
      return `${doing.says} (heard: ${doing.heard || 'nothing'})`;
    case 'noise':
      return `noise of ${doing.ms} ms`;
  }
}
