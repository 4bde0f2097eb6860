import type { Agent, Language } from '../../core/agent.ts';
import type { TellUse } from '../../core/service-use.ts';
import type { TurnNotes } from '../../core/turn-details.ts';
import type { Passage } from '../document/contract.ts';
import type { SttHints } from '../stt/contract.ts';

/** One thing that was said. Agent turns hold only what the caller really heard. */
export interface Turn {
  readonly role: 'caller' | 'agent';
  readonly text: string;
}

/** How a turn was decided. */
export interface TurnClaim {
  /** Else what is said is a word for not having understood. */
  readonly understood: boolean;
  /** A tool is called in it. */
  readonly acts: boolean;
  /** A model was waited for. */
  readonly byModel: boolean;
}

export interface ReplyRequest {
  readonly agent: Agent;
  /** What the caller said, or the digits keyed when `input` is `keypad`, or '' for `silence`. */
  readonly text: string;
  readonly input: 'speech' | 'keypad' | 'silence';
  /** How far speech can be understood: without a recogniser the engine offers its intents as a keypad menu. */
  readonly mode: 'voice' | 'keypad';
  /** Recogniser's confidence in `text`, 0..1; 1 for typed text and keys. */
  readonly confidence: number;
  /** That the recogniser heard, where it knows: for words that do not tell it themselves. */
  readonly language?: Language;
  readonly history: readonly Turn[]; // oldest first, without `text`
  readonly variables: Readonly<Record<string, string>>;
  /** Of people of the company who look on, oldest first: no words of the caller's. See `takesNote`. */
  readonly notes?: readonly string[];
  /** What the agent's documents may say to it, for a model to read. */
  readonly passages?: readonly Passage[];
  /** Told how the turn was taken, before the answer to it or with it; once more where more is known. Never throws. */
  readonly note?: (notes: TurnNotes) => void;
  /**
   * Where two engines are asked at once: told when a turn is decided, before anything of it is said, noted or done, and by
   * models with their first word. False: it is not this engine's to answer; it ends without an event. Never throws.
   */
  readonly claim?: (turn: TurnClaim) => boolean;
  /** Told what services were sent for it. */
  readonly used?: TellUse;
}

export type ReplyEvent =
  /** A piece to speak, whole sentences, in order. */
  | { readonly type: 'text'; readonly text: string; readonly language: Language }
  /** Done after the last text was spoken. At most one, last. */
  | { readonly type: 'action'; readonly action: CallAction };

export type CallAction =
  | { readonly type: 'transfer'; readonly target: string }
  | { readonly type: 'hangup' }
  /** Gather keys until `terminator`, `maxDigits` or `timeoutMs` after the last one. */
  | { readonly type: 'collect'; readonly maxDigits: number; readonly terminator: string; readonly timeoutMs: number };

/**
 * Stateless between calls: the state of a dialogue is rebuilt from `history` and `variables`, so the public API and a
 * phone call share it, and a crash loses nothing.
 */
export interface ReplyEngine {
  readonly name: string;
  /** Engines that send texts to a service are another type (`privacy/protected-reply.ts`) and come in by it alone. */
  readonly remote?: false;
  /** Whether it can answer, or can answer for one agent: some agents need less of an engine than others. */
  available(agent?: Agent): { readonly ok: true } | { readonly ok: false; readonly why: string };
  /** The first thing said, variables filled in; in `keypad` mode with the menu. */
  greeting(agent: Agent, variables: Readonly<Record<string, string>>, mode: ReplyRequest['mode']): string;
  /** Failure: throws ServiceError `reply_failed` or `unavailable`. Aborting ends the iteration without an error. */
  reply(request: ReplyRequest, signal: AbortSignal): AsyncIterable<ReplyEvent>;
  /** What may be said after `history`: given to the recogniser, and whether keys are being collected. */
  expects(agent: Agent, history: readonly Turn[], variables: Readonly<Record<string, string>>): ReplyExpectation;
  /**
   * Whether what people who look on have to say is heeded in the answers of this agent: `withheld` where this text may not
   * leave for the service that answers. Without it nothing is, as by rules that read callers alone.
   */
  takesNote?(agent: Agent, note: string): NoteTaking;
  close(): Promise<void>;
}

export type NoteTaking = 'taken' | 'withheld' | 'no';

export interface ReplyExpectation {
  /** A person was asked for in the middle of something: what is asked to go on with it, when nobody takes the call. */
  readonly resume?: string;
  /** What a person is told who is about to take the call over, in the agent's language. */
  readonly handover?: string;
  readonly hints: SttHints;
  /** How keys are gathered into one caller turn now. */
  readonly collect: {
    readonly maxDigits: number;
    /** A number that was asked for has at least so many; said with fewer it goes on. */
    readonly minDigits?: number;
    readonly terminator: string;
    readonly timeoutMs: number;
  };
}
