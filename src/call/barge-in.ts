import type { ConversationSettings } from './conversation-settings.ts';

export interface BargeInInput {
  readonly speechMs: number; // how long the caller has been speaking over the agent
  readonly text: string; // recognised of it so far; '' when nothing yet
  readonly final: boolean; // `text` is settled
}

export type BargeInVerdict =
  | 'interrupt' // stop the agent now
  | 'wait' // not enough to tell
  | 'ignore'; // settled, and only a listening noise

/** Folds what differs in spelling only, so that "Okay." and "أيوه" match their entries. */
function fold(text: string): string {
  return text
    .toLowerCase()
    .replace(/[\u064b-\u0652\u0640]/g, '')
    .replace(/[أإآ]/g, 'ا')
    .replace(/[^\p{L}\p{N}\s]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Tells listening noises ("uh-huh", "طيب") from words that mean to interrupt. */
export class BargeInPolicy {
  readonly #backchannels: ReadonlySet<string>;
  constructor(readonly settings: Pick<ConversationSettings, 'bargeInMs' | 'bargeInWords' | 'backchannels'>) {
    this.#backchannels = new Set(settings.backchannels.map(fold));
  }

  /** True for one or more listening noises and nothing else: "okay okay", "نعم طيب". */
  isBackchannel(text: string): boolean {
    const words = fold(text).split(' ').filter(Boolean);
    if (words.length === 0) return false;
    return words.every((word) => this.#backchannels.has(word)) || this.#backchannels.has(words.join(' '));
  }

  judge({ speechMs, text, final }: BargeInInput): BargeInVerdict {
    const words = fold(text).split(' ').filter(Boolean);
    if (words.length > 0) {
      if (this.isBackchannel(text)) return final ? 'ignore' : 'wait';
      if (final || words.length >= this.settings.bargeInWords) return 'interrupt';
    }
    if (final) return 'ignore'; // A sound in which nothing was recognised, and too short to interrupt by itself.
    return speechMs >= this.settings.bargeInMs ? 'interrupt' : 'wait';
  }
}

/** The caller's voice over the agent's: since when, and what it is worth. */
export class Overlap {
  #sinceMs: number | undefined;
  constructor(private readonly policy: BargeInPolicy) {}

  get going(): boolean {
    return this.#sinceMs !== undefined;
  }
  begin(atMs: number): void {
    this.#sinceMs = atMs;
  }
  end(): void {
    this.#sinceMs = undefined;
  }
  judge(nowMs: number, text: string, final: boolean): BargeInVerdict {
    const speechMs = this.#sinceMs === undefined ? 0 : nowMs - this.#sinceMs;
    const verdict = this.policy.judge({ speechMs, text, final });
    if (verdict === 'ignore') this.end();
    return verdict;
  }
}
