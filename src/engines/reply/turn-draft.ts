import type { AgentAction } from '../../core/agent.ts';
import {
  type FlowDefinition,
  type Language,
  type Localized,
  type LocalizedList,
  localize,
  localizeList,
  type SlotDefinition,
} from '../../core/agent.ts';
import type { CalendarDay } from '../../language/calendar/calendar.ts';
import { languageOfText } from '../../language/detect-language.ts';
import { fold } from '../../language/fold.ts';
import { limitText } from '../../language/sentences.ts';
import type { SlotValue } from '../../language/values/slot.ts';
import { type CompiledAgent, spokenLanguage } from './compiled-agent.ts';
import type { CallAction } from './contract.ts';
import type { DialogueState, Pending } from './dialogue-state.ts';
import { STOCK, type StockPhrase } from './stock-phrases.ts';
import { fillAnswer, fillTemplate, type Lookup } from './template.ts';

/** What a turn is taken in: fixed for the turn. */
export interface TurnSetting {
  readonly today: CalendarDay;
  /** 0..1439, in the agent's time zone; undefined where hours of today that are over are not judged. */
  readonly minuteOfDay?: number | undefined;
  readonly mode: 'voice' | 'keypad';
  readonly variables: Readonly<Record<string, string>>;
  /** Recogniser's confidence below which a wish is asked back. */
  readonly trusted: boolean;
  /** Said where the agent itself has nothing to say. */
  readonly passage?: QuotedPassage;
}
export interface Line {
  readonly text: string;
  readonly language: Language;
}
/** What a document of the agent says, as it is said. */
export interface QuotedPassage {
  readonly name: string; // of the file
  readonly lines: readonly Line[];
}
/** Actions of a flow that wait for an HTTP tool: `actions[index]` is the tool. */
export interface ToolCall {
  readonly actions: readonly AgentAction[];
  readonly index: number;
  /** The values the tool is called with. */
  readonly state: DialogueState;
  readonly facts: Readonly<Record<string, string>>;
}
/** What one turn of the caller leads to. */
export interface TurnOutcome {
  /** After the turn; where a tool is called, as it will be once the tool has answered, whatever it answers. */
  readonly state: DialogueState;
  readonly lines: readonly Line[];
  readonly action: CallAction | undefined;
  readonly tool: ToolCall | undefined;
  /** Ids of what the caller was taken to mean, in the order it was done; empty for an answer and for nothing understood. */
  readonly meant: readonly string[];
  /** False where the caller was asked again because nothing could be made of the words. */
  readonly understood: boolean;
  /** Nothing of the agent itself answered and nothing was asked: what was said is a phrase for that, a model's words, or a passage. */
  readonly unanswered: boolean;
  /** Flows whose actions were run, with their values. */
  readonly done: readonly DoneFlow[];
  /** What was understood, and the rule that decided. */
  readonly trace: readonly TraceStep[];
}
export interface DoneFlow {
  readonly flow: string;
  readonly slots: Readonly<Record<string, SlotValue>>;
}
export interface TraceStep {
  readonly rule: string;
  readonly why: string;
  readonly acts: readonly string[];
  /** What became of a model's proposal; undefined where no model was asked. */
  readonly proposed?: readonly string[];
}

const DEFAULT_MAX_REPLY_CHARS = 1_200;
const QUOTED_CHARS = 100;
type Changes = { -readonly [K in keyof DialogueState]?: DialogueState[K] };

/** The answer to one turn while it is being put together: lines to say and the state that will hold afterwards. */
export class TurnDraft {
  readonly lines: Line[] = [];
  action: CallAction | undefined;
  tool: ToolCall | undefined;
  readonly meant: string[] = [];
  understood = true;
  unanswered = false;
  readonly done: DoneFlow[] = [];
  /** Slots of which a value was refused in this turn. */
  readonly refused: string[] = [];
  readonly trace: TraceStep[] = [];
  /** The words of a passage that is said, as far as they tell it from others. */
  readonly quoted: string[] = [];
  /** Words of a model, for a turn that no rule has words for. */
  words = '';
  /** Columns of a looked-up row and fields of a tool's answer, for this turn. */
  facts: Readonly<Record<string, string>> = {};

  constructor(
    readonly agent: CompiledAgent,
    public state: DialogueState,
    readonly setting: TurnSetting,
  ) {}

  set(changes: Changes): void {
    this.state = { ...this.state, ...changes };
  }

  /** Makes `pending` the question; a new question starts with no failed attempts. */
  wait(pending: Pending): void {
    this.set({ pending, attempts: 0, digits: '' });
  }

  /** The flow that is being served. */
  get flow(): FlowDefinition | undefined {
    return this.agent.flows.get(this.state.flow ?? '');
  }

  get slot(): SlotDefinition | undefined {
    const { pending } = this.state;
    if (pending.kind !== 'slot' && pending.kind !== 'confirm-slot') return undefined;
    return this.flow?.slots.find((slot) => slot.name === pending.slot);
  }

  /** Values as they are said in `language`: slots first, then what was looked up, then the call's and agent's variables. */
  lookup(language: Language): Lookup {
    const { slots, memory } = this.state;
    const own = this.agent.definition.variables ?? {};
    return (name) => {
      for (const source of [slots, memory]) {
        if (source === memory && (this.facts[name] ?? this.setting.variables[name]) !== undefined) break;
        const value = Object.hasOwn(source, name) ? source[name] : undefined;
        if (value) return value.say[language];
      }
      for (const source of [this.facts, this.setting.variables, own])
        if (Object.hasOwn(source, name)) return source[name];
      return undefined;
    };
  }

  /** Values as tools and tables take them. */
  canonical(name: string): string | undefined {
    if (Object.hasOwn(this.state.slots, name)) return this.state.slots[name]!.value;
    for (const source of [this.facts, this.setting.variables, this.agent.definition.variables ?? {}]) {
      if (Object.hasOwn(source, name)) return source[name];
    }
    return undefined;
  }

  /** Says a text of the agent's author with its variables; one whose every sentence lacks a value becomes "I do not know". */
  answer(text: Localized | undefined): void {
    const language = spokenLanguage(text, this.state.language);
    const template = localize(text, this.state.language);
    if (template === '') return;
    const filled = fillAnswer(template, this.lookup(language));
    if (filled !== '') this.lines.push({ text: filled, language });
    else this.stock('dontKnow');
  }

  /** Says a question or greeting: an empty value closes up. */
  ask(text: Localized | undefined, extra: Readonly<Record<string, string>> = {}): void {
    const language = spokenLanguage(text, this.state.language);
    const lookup = this.lookup(language);
    const filled = fillTemplate(localize(text, this.state.language), (name) => extra[name] ?? lookup(name));
    if (filled !== '') this.lines.push({ text: filled, language });
  }

  /** Says what a document says. @returns false where none does. */
  sayPassage(): boolean {
    const { passage } = this.setting;
    if (!passage) return false;
    this.meant.push(`document:${passage.name}`);
    this.lines.push(...passage.lines);
    this.quoted.push(fold(passage.lines.map(({ text }) => text).join(' ')).slice(0, QUOTED_CHARS));
    this.set({ served: true, noMatch: 0 });
    return true;
  }

  /** Says the words of a model in the place of not having understood. @returns false where there are none. */
  sayWords(): boolean {
    if (this.words === '') return false;
    this.lines.push({ text: this.words, language: languageOfText(this.words) ?? this.language });
    return true;
  }

  /** One of a list, by index (the last one again beyond the end). */
  askOf(list: LocalizedList | undefined, index: number, extra: Readonly<Record<string, string>> = {}): void {
    const pick = (texts: readonly string[] | undefined): string | undefined =>
      texts?.[Math.min(index, texts.length - 1)];
    const ar = pick(list?.ar);
    const en = pick(list?.en);
    this.ask({ ...(ar !== undefined && { ar }), ...(en !== undefined && { en }) }, extra);
  }

  /** A phrase of the engine; its wording follows the turn's number, so that replaying the history repeats it. */
  stock(name: StockPhrase, extra: Readonly<Record<string, string>> = {}, index = this.state.turn): void {
    const wordings: LocalizedList = STOCK[name];
    const count = localizeList(wordings, this.language).length;
    const language = this.language;
    this.ask({ [language]: wordings[language]?.[index % count] ?? '' }, extra);
  }

  /** Takes the question away that a text ended with, where something else is said in it. */
  dropLastQuestion(): void {
    const last = this.lines.pop();
    if (!last) return;
    const text = last.text.replace(/(?<=[.!?؟،]\s)[^.!?؟]*[?؟]\s*$/, '').trim();
    this.lines.push({ ...last, text });
  }

  /** The caller's language where the agent has it, else the agent's own. */
  get language(): Language {
    return this.state.language;
  }

  finish(): TurnOutcome {
    const lines = limitLines(this.lines, this.agent.definition.maxReplyChars ?? DEFAULT_MAX_REPLY_CHARS);
    const lastText = lines.map((line) => line.text).join(' ');
    const state = { ...this.state, lastText: lastText === '' ? this.state.lastText : lastText };
    const { action, tool, meant, understood, unanswered, done, trace } = this;
    return { state, lines, action, tool, meant, understood, unanswered, done, trace };
  }
}

function limitLines(lines: readonly Line[], maxChars: number): Line[] {
  const kept: Line[] = [];
  let left = maxChars;
  for (const line of lines) {
    if (left <= 0) break;
    kept.push({ ...line, text: limitText(line.text, left) });
    left -= line.text.length + 1;
  }
  return kept;
}
