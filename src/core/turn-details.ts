/** One HTTP tool that was called for a turn. */
export interface ToolNote {
  /** As its author wrote it, up to the first value: `GET https://shop.example/orders/`. */
  readonly tool: string;
  /** `ok`, or why it gave nothing: `timeout`, `status`, `network`. */
  readonly outcome: string;
  readonly ms: number;
}

/** A passage of an agent's document that was looked up for a turn. */
export interface DocumentNote {
  readonly id: string;
  readonly name: string; // of the file
  readonly page: number;
  /** How likely it answers, 0..1. */
  readonly score: number;
  readonly quote: string;
  /** Whether it was said; else a model had it to read. */
  readonly said: boolean;
}

/** What an engine tells of a turn beside its answer. Values of slots are personal data. */
export interface TurnNotes {
  /** Absent where nobody judges that: a model that answers by itself. */
  readonly understood?: boolean;
  /** Ids of what the caller was taken to mean, `intent:order-status`; none for an answer to a question. */
  readonly meant?: readonly string[];
  /** The rule that decided, as in traces. */
  readonly rule?: string;
  /** The flow that is under way after the turn, and the values it has by then. */
  readonly flow?: string;
  readonly slots?: Readonly<Record<string, string>>;
  /** Which of them were read back, each by itself, and agreed. */
  readonly confirmed?: readonly string[];
  /** Flows whose actions were run. */
  readonly done?: readonly string[];
  /** The values they were run with, where those are others than `slots`: something else is under way by then. */
  readonly settled?: Readonly<Record<string, string>>;
  readonly tools?: readonly ToolNote[];
  /** Passages of the agent's documents that were looked up. */
  readonly documents?: readonly DocumentNote[];
  /** An engine was late with its first words, and another one was asked too: who answered. */
  readonly hedge?: { readonly late: string; readonly answered: string };
  /** What the privacy boundary kept out of the words of this turn: kinds and how many, never the values. */
  readonly withheld?: Readonly<Record<string, number>>;
}

/** A pause of a caller, how a model judged it by its sound, and what it was. */
export interface PauseNote {
  readonly language: string; // that was spoken
  /** `late`: no answer in time to decide anything. */
  readonly said: 'complete' | 'incomplete' | 'late' | 'failed';
  /** That the turn was complete, 0..1. */
  readonly probability?: number;
  /** Until the model answered. */
  readonly ms?: number;
  /** From its answer until the pause was long enough. */
  readonly waited?: number;
  /** The caller was through; went on before the pause was long enough; went on although it was taken as the end. */
  readonly truth: 'over' | 'went-on' | 'cut';
}

/** What of a turn, or of a sound that was none, a detector and a model that judges beside it took for speech. */
export interface VoiceNote {
  readonly language: string; // of the turn
  /** By both; by the detector, and the model denied it; by the model alone. `away`: the model did not judge all of it in time. */
  readonly found: 'both' | 'denied' | 'added' | 'away';
  /** Whether anything was recognised in it. */
  readonly words: boolean;
  readonly detectorMs: number;
  /** What it is with the model: told in shadow, too. */
  readonly togetherMs: number;
  /** How much later it begins with the model; negative where that heard it first. */
  readonly laterMs?: number;
}

/** What the record keeps of a turn beside its words; it is erased with them. Times: milliseconds since the call was answered. */
export interface TurnDetails extends TurnNotes {
  // Of the caller's turns.
  readonly input?: 'speech' | 'keypad';
  /** Of the recogniser, 0..1. */
  readonly confidence?: number;
  /** Inside it, where a model judges them. */
  readonly pauses?: readonly PauseNote[];
  /** Where a model judges whether there is a voice. */
  readonly voice?: VoiceNote;
  // Of the agent's turns.
  /** The pause that it answers. */
  readonly pause?: PauseNote;
  readonly action?: 'transfer' | 'hangup' | 'collect';
  /** The caller cut it short then. */
  readonly interruptedMs?: number;
  /** What it was about to say then, and was not heard any more. */
  readonly unheard?: string;
}

/** What models have judged of a turn. */
export type JudgedTurn = Pick<TurnDetails, 'pauses' | 'pause' | 'voice'>;

/** Every pause that a turn's record has. */
export const pausesOf = ({ pauses = [], pause }: JudgedTurn): readonly PauseNote[] =>
  pause ? [...pauses, pause] : pauses;

const MEANT_MAX = 10;
const SLOTS_MAX = 50;
const VALUE_CHARS_MAX = 300;
const TOOLS_MAX = 10;
const DOCUMENTS_MAX = 3;
export const UNHEARD_CHARS_MAX = 2_000;

/** Both, the later one where they differ; tools are those of both. Bounded, whatever an engine tells. */
export function withNotes(notes: TurnNotes, more: TurnNotes): TurnNotes {
  const tools = [...(notes.tools ?? []), ...(more.tools ?? [])].slice(0, TOOLS_MAX);
  const { meant, done, slots, settled, documents } = more;
  return {
    ...notes,
    ...more,
    ...(meant && { meant: meant.slice(0, MEANT_MAX) }),
    ...(done && { done: done.slice(0, MEANT_MAX) }),
    ...(documents && { documents: documents.slice(0, DOCUMENTS_MAX) }),
    ...(slots && { slots: bounded(slots) }),
    ...(settled && { settled: bounded(settled) }),
    ...(tools.length > 0 && { tools }),
  };
}

function bounded(slots: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const kept = Object.entries(slots).slice(0, SLOTS_MAX);
  return Object.fromEntries(kept.map(([name, value]) => [name, value.slice(0, VALUE_CHARS_MAX)]));
}
