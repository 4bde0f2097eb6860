import type { IdempotentRequest, StoredAnswer } from './idempotent-request.ts';

export interface UnkeptAnswer {
  readonly request: IdempotentRequest;
  readonly answer: StoredAnswer;
}

/** Answers that the database could not take because it was away, by name of their key. The oldest leave when full. */
export class UnkeptAnswers {
  readonly #answers = new Map<string, UnkeptAnswer>();
  #bytes = 0;

  constructor(readonly bytesMax: number) {}

  get(name: string): UnkeptAnswer | undefined {
    return this.#answers.get(name);
  }

  put(name: string, unkept: UnkeptAnswer): void {
    this.delete(name);
    this.#answers.set(name, unkept);
    this.#bytes += weight(unkept);
    for (const oldest of this.#answers.keys()) {
      if (this.#bytes <= this.bytesMax) return;
      this.delete(oldest);
    }
  }

  delete(name: string): void {
    const unkept = this.#answers.get(name);
    if (!unkept) return;
    this.#answers.delete(name);
    this.#bytes -= weight(unkept);
  }
}

const ENTRY_BYTES = 1_000; // key, headers and what the map needs
const weight = ({ answer }: UnkeptAnswer): number => ENTRY_BYTES + answer.body.length;
