import type { Language } from '../core/agent.ts';
import type { ConversationSettings } from './conversation-settings.ts';

/** What an interruption left unsaid. */
export interface Unsaid {
  readonly text: string;
  readonly language: Language;
}

export type SilenceVerdict =
  | { readonly do: 'wait' }
  | { readonly do: 'go-on'; readonly unsaid: Unsaid } // the interruption was nothing: say the rest
  | { readonly do: 'ask' } // the caller is reminded
  | { readonly do: 'give-up' };

/** The quiet while the caller has the floor and does not use it: what comes of it, and when. */
export class Silence {
  #asked = 0;
  #unsaid: Unsaid | undefined;
  constructor(
    private readonly settings: Pick<ConversationSettings, 'resumeAfterMs' | 'noInputMs' | 'maxNoInputs'>,
    private sinceMs: number,
  ) {}

  /** The agent was interrupted and something of it is still unsaid. */
  get interrupted(): boolean {
    return this.#unsaid !== undefined;
  }

  /** Something was heard, or the agent stopped speaking: it is quiet from now on. */
  restart(nowMs: number): void {
    this.sinceMs = nowMs;
  }
  interrupt(unsaid: Unsaid): void {
    this.#unsaid = unsaid.text === '' ? undefined : unsaid;
  }
  /** A turn is answered: what was unsaid is past. `caller`: somebody is there. */
  answered(caller: boolean): void {
    this.#unsaid = undefined;
    if (caller) this.#asked = 0;
  }

  /** When `judge` says more than to wait, if nothing is heard before. */
  get dueMs(): number {
    const { resumeAfterMs, noInputMs } = this.settings;
    return this.sinceMs + (this.#unsaid ? Math.min(resumeAfterMs, noInputMs) : noInputMs);
  }

  judge(nowMs: number): SilenceVerdict {
    const { resumeAfterMs, noInputMs, maxNoInputs } = this.settings;
    const quietMs = nowMs - this.sinceMs;
    if (this.#unsaid && quietMs >= resumeAfterMs) {
      const unsaid = this.#unsaid;
      this.#unsaid = undefined;
      return { do: 'go-on', unsaid };
    }
    if (quietMs < noInputMs) return { do: 'wait' };
    this.#asked += 1;
    return { do: this.#asked > maxNoInputs ? 'give-up' : 'ask' };
  }
}
