import { type DestinationStream, destination, type Logger, pino } from 'pino';

export type { DestinationStream, Logger };

export interface LoggerOptions {
  readonly level: string;
  /** Personal data (speech, digits, numbers, addresses) is written only under `pii.`; false leaves it readable. */
  readonly redactPersonal: boolean;
}

/** Standard error, written at once. */
export const standardError = (): DestinationStream => destination(2);

/**
 * JSON lines on standard error, so that standard output belongs to what a person or script reads (`READY ...`).
 * Rules of use: static message, facts as fields, personal data only inside a `pii` object.
 */
export function createLogger(options: LoggerOptions, stream: DestinationStream = standardError()): Logger {
  return pino(
    {
      level: options.level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      redact: options.redactPersonal ? { paths: ['pii', '*.pii'], censor: '[redacted]' } : [],
    },
    stream,
  );
}

export const silentLogger: Logger = pino({ level: 'silent' });
