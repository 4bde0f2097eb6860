import { fileURLToPath } from 'node:url';
import { type DestinationStream, destination, type Logger, pino } from 'pino';

export type { DestinationStream, Logger };

export interface LoggerOptions {
  readonly level: string;
  /** Personal data (speech, digits, numbers, addresses) is written only under `pii.`; false leaves it readable. */
  readonly redactPersonal: boolean;
  /** Name of this node, once it is known; every line has it then. */
  readonly node?: () => string | undefined;
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
      mixin: (_fields, level) => {
        const node = options.node?.();
        return { ...(node !== undefined && { node }), ...(level >= ERROR_LEVEL && { component: whoLogs() }) };
      },
      redact: options.redactPersonal ? { paths: ['pii', '*.pii'], censor: '[redacted]' } : [],
    },
    stream,
  );
}

const ERROR_LEVEL = 50;
const SOURCES = new URL('..', import.meta.url);
/** As stacks write them: an address, or a path where a loader made it one. */
const ROOTS = [SOURCES.href, fileURLToPath(SOURCES)];

/** The folder of the sources that logs right now. Only errors are worth the look at the stack. */
function whoLogs(): string {
  for (const frame of new Error().stack?.split('\n') ?? []) {
    const root = ROOTS.find((one) => frame.includes(one));
    const path = root === undefined ? '' : frame.slice(frame.indexOf(root) + root.length);
    if (path !== '' && !path.startsWith('core/logger.')) return /^[\w-]+/.exec(path)?.[0] ?? 'unknown';
  }
  return 'unknown';
}

export const silentLogger: Logger = pino({ level: 'silent' });
