import { createLogger, type Logger } from '../../src/core/logger.ts';

/** Everything that is logged, at every level, as the gateway would write it. */
export class LogCapture {
  #lines: string[] = [];
  readonly logger: Logger = createLogger(
    { level: 'trace', redactPersonal: true },
    { write: (line: string) => void this.#lines.push(line) },
  );
  get text(): string {
    return this.#lines.join('');
  }
  /** The fields of each line, in order. */
  get lines(): readonly Record<string, unknown>[] {
    return this.#lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  }
}
