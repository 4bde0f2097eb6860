import type { Clock } from '../core/clock.ts';

/** How long the parts of a request took, for the `Server-Timing` header that developer tools draw. */
export class ServerTiming {
  readonly #parts: string[] = [];
  constructor(private readonly clock: Clock) {}

  async measure<T>(name: 'stt' | 'llm' | 'tts', work: () => Promise<T>): Promise<T> {
    const startedMs = this.clock.nowMs();
    const result = await work();
    this.#parts.push(`${name};dur=${(this.clock.nowMs() - startedMs).toFixed(1)}`);
    return result;
  }

  toString(): string {
    return this.#parts.join(', ');
  }
}
