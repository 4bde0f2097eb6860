/**
 * What an agent is, as every part of Nidaa shares it: the file in `config/agents/`, the versioned row in the database
 * and the object the reply engine works with are this one shape. `src/config/agent-schema.ts` validates it.
 */
import type { CallResult } from './call-result.ts';

export type Language = 'ar' | 'en';
export type AgentStatus = 'draft' | 'live' | 'paused';

/** A sentence per language; an agent of one language fills only that one. `{{name}}` is replaced by a variable. */
export type Localized = { readonly [L in Language]?: string };
export type LocalizedList = { readonly [L in Language]?: readonly string[] };

export type SlotType =
  | 'text' // anything that was said
  | 'name'
  | 'date'
  | 'time'
  | 'number'
  | 'digits' // an identifier said or keyed digit by digit (order number); `minDigits`/`maxDigits` bound it
  | 'phone'
  | 'yesno'
  | 'choice'; // one of `choices`

export const WEEK_DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
export type WeekDay = (typeof WEEK_DAYS)[number];

/** What a date or a time must keep to; what does not is refused with its reason, and asked again. */
export interface SlotConstraints {
  /** A date's days of the week. */
  readonly days?: readonly WeekDay[];
  /** Days from today, for a date: 0 is today. */
  readonly earliestDays?: number;
  readonly latestDays?: number;
  /** Single days on which it may not be, `2026-09-23`. */
  readonly closed?: readonly string[];
  /** A time's first and last moment, `09:00` and `21:00`; the last one itself is too late. */
  readonly from?: string;
  readonly to?: string;
  /** Said when a value is refused, before the question is asked again; without it the rule itself is said. */
  readonly why?: Localized;
}

export interface SlotChoice {
  readonly value: string;
  readonly say: LocalizedList;
  /** The part of the day it stands for, `12:00` to before `17:00`: a caller who says an hour has chosen it. */
  readonly hours?: { readonly from: string; readonly to: string };
}

export interface SlotDefinition {
  readonly name: string;
  readonly type: SlotType;
  /** Asked in turn: the first, then more helpful ones when the answer was not understood. */
  readonly prompts: LocalizedList;
  /** Said back and confirmed with yes/no when present: `You said {{order}}, is that right?` */
  readonly confirm?: Localized;
  /** Of a phone: whose numbers need no country code, `SA`. The agent's, where the file names none here. */
  readonly country?: string;
  readonly minDigits?: number;
  readonly maxDigits?: number;
  readonly choices?: readonly SlotChoice[];
  readonly constraints?: SlotConstraints;
}

export type AgentAction =
  | { readonly type: 'say'; readonly text: Localized }
  | { readonly type: 'transfer'; readonly target?: string; readonly text?: Localized } // target: SIP URI or number; default `transferTarget`
  | { readonly type: 'hangup'; readonly text?: Localized }
  /** An HTTP tool: `request` is filled from slots, fields of the JSON answer become variables. */
  | {
      readonly type: 'http';
      readonly method: 'GET' | 'POST';
      readonly url: string;
      readonly body?: Readonly<Record<string, string>>;
      readonly headers?: Readonly<Record<string, string>>;
      readonly timeoutMs?: number;
      readonly then: Localized;
      readonly otherwise: Localized;
    }
  /** A function of `tools`, or of an MCP server, that was agreed on: made by the gateway, written in no file. */
  | { readonly type: 'tool'; readonly tool: string; readonly then?: Localized; readonly otherwise?: Localized }
  /** A row of the agent's own `tables`, looked up by the value of a slot; its columns become variables. */
  | {
      readonly type: 'lookup';
      readonly table: string;
      readonly key: string; // slot name
      /** Told to everybody who has the key, whomever the row belongs to. */
      readonly open?: boolean;
      readonly then: Localized;
      readonly otherwise: Localized;
    };

/** Whose the rows of a table are: who names `column` rightly, or calls from the number in `callerColumn`. */
export interface RecordOwner {
  readonly column: string;
  readonly type: Extract<SlotType, 'name' | 'digits' | 'phone' | 'date'>;
  readonly callerColumn?: string;
  readonly prompts: LocalizedList;
  /** Said when the answer does not fit, before both are asked for again. It tells nothing of the row. */
  readonly otherwise?: Localized;
}

export interface IntentDefinition {
  readonly name: string;
  /** Shown in the spoken keypad menu, as a noun phrase: `booking an appointment` / `حجز موعد`. */
  readonly label?: Localized;
  readonly examples: LocalizedList;
  /** An immediate answer; or `flow` to run. */
  readonly answer?: Localized;
  readonly flow?: string;
  readonly action?: AgentAction;
}

export interface FlowDefinition {
  readonly name: string;
  readonly slots: readonly SlotDefinition[];
  /** Read back before acting when present, and confirmed with yes/no. */
  readonly confirm?: Localized;
  readonly actions: readonly AgentAction[];
}

/** A value of a tool: given by a model, and held to what a caller's answer of the same kind is held to. */
export interface ToolParameter extends Omit<SlotDefinition, 'prompts' | 'confirm'> {
  /** What it is, for a model. */
  readonly means?: string;
  readonly optional?: boolean;
  /** Asked when it was called wrong at the read-back. */
  readonly prompts?: LocalizedList;
}

/** A function of an HTTP service that a model may call. One that changes something is read back, and done after a yes. */
export interface ToolDefinition {
  readonly name: string;
  /** What it does and when to call it, for a model. */
  readonly description: string;
  readonly parameters?: readonly ToolParameter[];
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly body?: Readonly<Record<string, string>>;
  /** `{{secret:name}}` stands for a secret of the configuration. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  /** Whether it changes something; what is no GET does unless this says otherwise. */
  readonly changes?: boolean;
  /** The read-back, every value in it. */
  readonly confirm?: Localized;
  /** Said while it takes long. */
  readonly filler?: Localized;
  /** Said when what was agreed on is done, or is not. */
  readonly then?: Localized;
  readonly otherwise?: Localized;
}

/** What callers in trouble hear, and what is done then; without one: regret in a sentence, then a person. */
export interface TroubleRoutes {
  /** Anger, a double charge, a complaint about staff, a threat of law. */
  readonly complaint?: TroubleRoute;
  /** Danger to life or health: said before anything else. */
  readonly emergency?: TroubleRoute;
}
export interface TroubleRoute {
  readonly text: Localized;
  readonly action?: Extract<AgentAction, { type: 'transfer' | 'hangup' }>;
}

/** How callers come to a person. Where the peer takes no REFER, or the person is told first, by a second leg of the call. */
export interface TransferRules {
  /**
   * `blind`: sent on, at once. `announced`: the person is called, told what it is about and asked, while the caller waits.
   * `attended`: the same, and then the two are left to each other by REFER with Replaces (RFC 3891) where both sides take that.
   */
  readonly mode?: 'blind' | 'announced' | 'attended';
  /** Tried in this order, in the place of `transferTarget`. */
  readonly targets?: readonly string[];
  /** What waiting callers hear: `calm`, `none`, or a file of the folder `music`; the configured one without it. */
  readonly music?: string;
  /** Said to the person, slots and variables filled in; without it, what the call is about so far. */
  readonly whisper?: Localized;
  /** What joins the two: that the person answered and was told, key 1, or that or a yes. */
  readonly accept?: 'answer' | 'key' | 'speech';
  readonly ringSeconds?: number; // each target
  /** Whether what the two say is written down, where there is a recogniser. */
  readonly transcript?: 'on' | 'off';
  /** After the person has hung up: the call ends, or the agent is back. */
  readonly afterPerson?: 'end' | 'return';
}

export interface KnowledgeItem {
  readonly question: LocalizedList;
  readonly answer: Localized;
}

export type BargeInMode = 'on' | 'off';
export type PrivacyMode = 'off' | 'redact' | 'block';
/** Whether callers may be heard, and answered, by services elsewhere. */
export type SpeechPrivacy = 'local' | 'remote';

/** A name of the agent's own for what a call came to. It holds where all that it names does; without any, for a model alone. */
export interface OutcomeDefinition {
  readonly name: string;
  readonly label?: Localized;
  /** What it means, for a model. */
  readonly means?: string;
  /** One of these flows was done. */
  readonly done?: readonly string[];
  /** One of these wishes was heard: intents, and `complaint`, `emergency`. */
  readonly meant?: readonly string[];
  readonly result?: readonly CallResult[];
}

/** A value that is to be written down of a call. */
export interface FieldDefinition {
  readonly name: string;
  readonly type: SlotType;
  readonly label?: Localized;
  /** The slot that has it; the one of its own name without it. */
  readonly from?: string;
  /** What it is, for a model. */
  readonly means?: string;
  /** Of a `choice`: what there is to choose from. */
  readonly choices?: readonly string[];
}

export type AfterCallEngine = 'dialogue' | 'openai';

/** What is written down of every call of an agent when it is over. */
export interface AfterCallRules {
  /** The first that holds counts. */
  readonly outcomes?: readonly OutcomeDefinition[];
  readonly fields?: readonly FieldDefinition[];
  readonly summary?: boolean;
  /** Who looks at it: the dialogue alone, or a language model after it; the configured one without it. */
  readonly engine?: AfterCallEngine;
}

export interface AgentDefinition {
  readonly name: string;
  readonly description?: string;
  /** `ar-SA`, `en-US`: the language spoken when the caller has not shown another. */
  readonly language: string;
  /** Where its callers are, ISO 3166: telephone numbers without a country code are of there. `SA` without it. */
  readonly country?: string;
  readonly voice: string; // voice id of the catalogue
  /** Voices for replies in another language than the agent's own. */
  readonly voices?: { readonly [L in Language]?: string };
  readonly model: string; // sada-1, nabra-1
  readonly speed?: number; // 0.5..2
  readonly pitch?: number; // -12..12 semitones
  readonly status?: AgentStatus;
  readonly persona?: string; // system prompt of model-backed reply engines
  readonly replyEngine?: string; // name in the engine configuration; default there
  readonly greeting: Localized;
  readonly variables?: Readonly<Record<string, string>>;
  readonly intents?: readonly IntentDefinition[];
  readonly flows?: readonly FlowDefinition[];
  readonly knowledge?: readonly KnowledgeItem[];
  /** What a model that answers by itself may call. */
  readonly tools?: readonly ToolDefinition[];
  /** MCP servers of the configuration whose tools it may call, by name. */
  readonly mcp?: readonly string[];
  /**
   * More sentences of callers, by what they mean: the name of an intent, the first wording of a question, `complaint`,
   * or `other` for what is for no line like this. Understood like examples; nothing else is made of them, and no recogniser listens for them.
   */
  readonly sentences?: Readonly<Record<string, readonly string[]>>;
  readonly tables?: Readonly<Record<string, readonly Readonly<Record<string, string>>[]>>;
  /** By table: what a caller must know, beside the key, of a row that is read out or changed. */
  readonly belongsTo?: Readonly<Record<string, RecordOwner>>;
  /** What is said when nothing was understood, from first to last resort; after the last the `onGiveUp` happens. */
  readonly noMatch?: LocalizedList;
  /** What is said into silence, from first to last; after the last the call ends politely. */
  readonly noInput?: LocalizedList;
  readonly onGiveUp?: 'transfer' | 'hangup';
  readonly routes?: TroubleRoutes;
  readonly goodbye?: Localized;
  readonly endPhrases?: LocalizedList;
  /** Listening noises of this agent's callers, beside the usual ones: they do not interrupt it. */
  readonly backchannels?: LocalizedList;
  readonly transferTarget?: string;
  readonly transfer?: TransferRules;
  readonly bargeIn?: BargeInMode;
  readonly privacy?: PrivacyMode;
  readonly speechPrivacy?: SpeechPrivacy;
  readonly maxCallSeconds?: number;
  readonly maxReplyChars?: number;
  /** What is written down of a call when it is over. */
  readonly afterCall?: AfterCallRules;
}

/** An agent as stored: definition of its current version plus what the database adds. */
export interface Agent {
  readonly id: string; // agt_...
  readonly accountId: string;
  readonly version: number;
  readonly status: AgentStatus;
  readonly definition: AgentDefinition;
  readonly updatedAt: Date;
}

/** Where callers go who ask for a person; undefined where there is nobody. */
export function personOf({ transferTarget, transfer }: AgentDefinition): string | undefined {
  return transfer?.targets?.[0] ?? transferTarget;
}

/** The two-letter language of a tag: `ar-SA` -> `ar`; anything but Arabic counts as English. */
export function languageOf(tag: string): Language {
  return /^ar\b/i.test(tag) ? 'ar' : 'en';
}

/** Languages in which callers are greeted, and may answer. */
export function languagesOf({
  greeting,
  language,
}: Pick<AgentDefinition, 'greeting' | 'language'>): readonly Language[] {
  const greets = (['ar', 'en'] as const).filter((one) => greeting[one] !== undefined);
  return greets.length > 0 ? greets : [languageOf(language)];
}

/** The same as tags: its own, or `ar-SA` and `en-US`. */
export function tagsOf(agent: Pick<AgentDefinition, 'greeting' | 'language'>): readonly string[] {
  const spoken = languagesOf(agent);
  return spoken.length > 1 ? spoken.map((one) => (one === 'ar' ? 'ar-SA' : 'en-US')) : [agent.language];
}

/** The text in `language`, else in whichever language there is, else empty. */
export function localize(text: Localized | undefined, language: Language): string {
  return text?.[language] ?? text?.ar ?? text?.en ?? '';
}
export function localizeList(list: LocalizedList | undefined, language: Language): readonly string[] {
  return list?.[language] ?? list?.ar ?? list?.en ?? [];
}
