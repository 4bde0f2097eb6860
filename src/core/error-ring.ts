import type { DestinationStream } from './logger.ts';

/** An error as it was logged, without what may be personal: texts of causes, and everything under `pii`. */
export interface LoggedError {
  readonly at: string; // ISO 8601, of the last time
  readonly level: 'error' | 'fatal';
  readonly component: string; // folder of the sources that logged it, such as `billing`
  readonly message: string; // static
  readonly code: string | undefined; // of the error catalogue
  readonly requestId: string | undefined;
  readonly callId: string | undefined;
  readonly times: number; // in a row
}

const KEPT_MAX = 200;
const MESSAGE_CHARS_MAX = 200;
const LEVELS = ['{"level":"error"', '{"level":"fatal"'] as const;

/** The latest errors of the log, so that whoever has a request id finds what went wrong. In memory: a start begins anew. */
export class ErrorRing {
  readonly since = new Date();
  readonly #kept: LoggedError[] = []; // oldest first

  constructor(readonly keptMax = KEPT_MAX) {}

  /** A stream that takes note of what goes through it. */
  tap(stream: DestinationStream): DestinationStream {
    return {
      write: (line) => {
        stream.write(line);
        if (LEVELS.some((start) => line.startsWith(start))) this.#note(line);
      },
    };
  }

  /** Newest first; those of one request where its id is given. */
  list(requestId?: string): readonly LoggedError[] {
    return this.#kept.filter((one) => requestId === undefined || one.requestId === requestId).reverse();
  }

  #note(line: string): void {
    const error = readLine(line);
    if (!error) return;
    const last = this.#kept.at(-1);
    if (last && isSame(last, error)) this.#kept[this.#kept.length - 1] = { ...error, times: last.times + 1 };
    else this.#kept.push(error);
    if (this.#kept.length > this.keptMax) this.#kept.shift();
  }
}

const isSame = (one: LoggedError, other: LoggedError): boolean =>
  (['level', 'component', 'message', 'code', 'requestId', 'callId'] as const).every(
    (name) => one[name] === other[name],
  );

function readLine(line: string): LoggedError | undefined {
  let fields: Readonly<Record<string, unknown>>;
  try {
    fields = JSON.parse(line) as typeof fields;
  } catch {
    return undefined;
  }
  const text = (name: string, shape: RegExp): string | undefined => {
    const value = fields[name];
    return typeof value === 'string' && shape.test(value) ? value : undefined;
  };
  return {
    at: text('time', /^[\d:.TZ-]{20,30}$/) ?? new Date().toISOString(),
    level: fields['level'] === 'fatal' ? 'fatal' : 'error',
    component: text('component', /^[\w-]{1,40}$/) ?? 'unknown',
    message: harmless(String(fields['msg'] ?? '')),
    code: text('code', /^[a-z_]{1,60}$/),
    requestId: text('reqId', /^[\w-]{1,64}$/),
    callId: text('call_id', /^call_\w{1,40}$/),
    times: 1,
  };
}

/** Messages of ours are static; those of libraries may repeat what they were given, so no longer number passes. */
const harmless = (message: string): string => message.replace(/\d{4,}/g, '#').slice(0, MESSAGE_CHARS_MAX);
