import type { Agent, Language } from './agent.ts';

/** Dialogues that an agent must hold, as `config/agent-tests.ts` reads them. Lines are those of the file, from 1. */
export interface AgentTests {
  readonly dialogues: readonly TestDialogue[];
}

export interface TestDialogue {
  readonly name: string;
  readonly line: number;
  /** Of the caller; the agent's without it. */
  readonly language?: Language;
  /** When the call begins: `2026-11-22T10:00`, in the time zone of agents unless it has an offset. */
  readonly now?: string;
  /** What the call brings along. */
  readonly variables: Readonly<Record<string, string>>;
  readonly tools: readonly TestTool[];
  readonly steps: readonly TestStep[];
  /** What is to be written down of it when it is over. */
  readonly after?: TestAfter;
}

export interface TestAfter {
  readonly line: number;
  readonly outcome?: string;
  /** Values by field; '' for none. */
  readonly fields: Readonly<Record<string, string>>;
}

/** What an HTTP tool answers whose address begins so. */
export interface TestTool {
  readonly url: string;
  readonly status: number;
  readonly answer: string;
}

/** The caller does something, the agent's answer is judged, or both; a step without a doing judges the last answer further. */
export interface TestStep {
  readonly line: number;
  readonly doing?: CallerDoing;
  readonly expected?: TestExpectation;
}

export type CallerDoing =
  | { readonly type: 'caller'; readonly says: string }
  | { readonly type: 'keys'; readonly keys: string }
  | { readonly type: 'silence'; readonly ms: number }
  /** Words over what the agent is saying, so long after it began. */
  | { readonly type: 'interrupt'; readonly afterMs: number; readonly says: string }
  /** The recogniser hears something else, and how sure it is of it, 0..1. */
  | { readonly type: 'mishears'; readonly says: string; readonly heard: string; readonly confidence: number }
  /** A sound in which there are no words. */
  | { readonly type: 'noise'; readonly ms: number };

export type TestAction = 'transfer' | 'hangup' | 'none';

export interface TestExpectation {
  readonly line: number;
  readonly contains: readonly string[];
  readonly notContains: readonly string[];
  readonly matches: readonly string[]; // regular expressions
  /** Name of an intent, a question of the knowledge, `document:` and a file, or what every agent understands (`goodbye`). */
  readonly intent?: string;
  /** Values after the turn, by slot; '' for none. */
  readonly slots: Readonly<Record<string, string>>;
  readonly action?: TestAction;
  readonly withinMs?: number;
}

/** Something that was expected and did not come. */
export interface TestFault {
  readonly kind:
    | 'contains'
    | 'not_contains'
    | 'matches'
    | 'intent'
    | 'slot'
    | 'action'
    | 'within_ms'
    | 'call'
    | 'after';
  readonly expected: string;
  readonly got: string;
}

/** What one step came to. */
export interface TestTurn {
  readonly step: number; // from 1
  readonly line: number;
  /** What the caller did, for people: `where is my order`, `keys 4521`; '' where only the last answer was judged. */
  readonly did: string;
  /** What was understood of it by telephone: '' for nothing; not there for what was typed, keyed or not said. */
  readonly heard?: string;
  readonly expected?: TestExpectation;
  readonly reply: string;
  readonly intents: readonly string[]; // as an author names them
  readonly slots: Readonly<Record<string, string>>;
  readonly action: TestAction;
  /** From the end of the caller's words to the answer; undefined where nothing was answered. */
  readonly ms?: number;
  readonly faults: readonly TestFault[];
}

export type TestOutcome = 'passed' | 'failed' | 'skipped';

export interface DialogueResult {
  readonly name: string;
  readonly line: number;
  readonly outcome: TestOutcome;
  /** Why it was not held, or why it broke off. */
  readonly why?: string;
  readonly durationMs: number;
  readonly turns: readonly TestTurn[]; // up to the first with a fault
}

/** Dialogues to be held by telephone, for a process of its own. */
export interface VoiceTestJob {
  readonly number: string;
  readonly agent: Agent;
  readonly yaml: string;
  /** Names of dialogues; all without it. */
  readonly only?: readonly string[];
  /** `host:port` of the gateway. */
  readonly sipAddress: string;
  /** Of every INVITE. */
  readonly headers: Readonly<Record<string, string>>;
}

export const DIALOGUES_MAX = 200;
export const STEPS_MAX = 50; // of a dialogue
export const TESTS_CHARS_MAX = 262_144; // of a file

/** The first turn that differs, in one sentence; undefined where nothing does. */
export function firstFault({ name, turns, why, outcome }: DialogueResult): string | undefined {
  if (outcome !== 'failed') return undefined;
  const turn = turns.find(({ faults }) => faults.length > 0);
  const fault = turn?.faults[0];
  if (!turn || !fault) return `${name}: ${why ?? 'broke off'}`;
  return `${name}, step ${turn.step} (line ${turn.line}): expected ${fault.expected}, got ${fault.got}`;
}
