import { sharing } from '../../../../config/agent-text/equal.ts';
import { type FieldPath, type ParsedText, readYaml } from '../../../../config/agent-text/yaml-document.ts';
import { changeField, type TextChange } from '../../../../config/agent-text/yaml-edit.ts';

/** What is edited, as it was when it was read: its text, and the tag that an edit is sent with. */
export interface DraftBase {
  readonly text: string;
  readonly value: Readonly<Record<string, unknown>>;
  readonly tag: string | undefined;
  readonly version: number;
}
export interface DraftState {
  readonly text: string;
  /** Of the text, or of the one before it while somebody types. */
  readonly parsed: ParsedText;
  /** The last one that could be read. */
  readonly value: Readonly<Record<string, unknown>>;
  readonly base: DraftBase;
}
export interface Timer {
  start(work: () => void, ms: number): unknown;
  stop(handle: unknown): void;
}

/** A text that is typed in is read when the typing rests. */
const REST_MS = 200;

/**
 * One agent under edit: a text, and what it says. The form changes the text where a field stands, whoever types in the text
 * changes the fields; both see the same.
 */
export class DraftStore {
  readonly #watchers = new Set<() => void>();
  readonly #order: readonly string[];
  #state: DraftState;
  #rest: unknown;

  constructor(
    base: DraftBase,
    text: string,
    order: readonly string[],
    private readonly timer: Timer,
  ) {
    const parsed = readYaml(text);
    this.#order = order;
    this.#state = { text, parsed, value: sharing(base.value, parsed.value ?? base.value), base };
  }

  state = (): DraftState => this.#state;

  watch = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };

  /** Somebody has typed, or another text takes the place of this one. */
  setText(text: string): void {
    if (text === this.#state.text) return;
    this.#become({ text });
    this.timer.stop(this.#rest);
    this.#rest = this.timer.start(() => this.read(), REST_MS);
  }

  /** Reads what was typed now. */
  read(): ParsedText {
    this.timer.stop(this.#rest);
    const { text, parsed } = this.#state;
    if (parsed.text === text) return parsed;
    const now = readYaml(text);
    this.#become({ parsed: now, value: sharing(this.#state.value, now.value ?? this.#state.value) });
    return now;
  }

  /** @returns the changes of the text; undefined where there are none, or the text cannot be read. */
  setField(path: FieldPath, value: unknown): readonly TextChange[] | undefined {
    const changed = changeField(this.read(), path, value, this.#order);
    if (!changed) return undefined;
    const { parsed } = changed;
    this.#become({ text: parsed.text, parsed, value: sharing(this.#state.value, parsed.value ?? this.#state.value) });
    return changed.changes;
  }

  /** It was saved, or what others saved is what it is compared with from now on. */
  setBase(base: DraftBase, text = this.#state.text): void {
    this.#become({ base });
    this.setText(text);
    this.read();
  }

  #become(part: Partial<DraftState>): void {
    this.#state = { ...this.#state, ...part };
    for (const watcher of [...this.#watchers]) watcher();
  }
}

export const isChanged = ({ text, base }: DraftState): boolean => text !== base.text;
