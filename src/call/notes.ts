import type { Agent } from '../core/agent.ts';
import type { NoteTaking, ReplyEngine, ReplyRequest } from '../engines/reply/contract.ts';

/** An older one has been heeded, or is no longer meant. */
export const NOTES_MAX = 5;

/** What people who look on a call have its agent know from its next reply on. The caller hears nothing of it. */
export class Notes {
  #kept: readonly string[] = [];
  constructor(
    private readonly reply: ReplyEngine,
    private readonly agent: Agent,
  ) {}

  take(text: string): NoteTaking {
    const taking = this.reply.takesNote?.(this.agent, text) ?? 'no';
    if (taking === 'taken') this.#kept = [...this.#kept, text].slice(-NOTES_MAX);
    return taking;
  }

  /** The part of a request that has them. */
  get asked(): Pick<ReplyRequest, 'notes'> {
    return this.#kept.length > 0 ? { notes: this.#kept } : {};
  }
}
