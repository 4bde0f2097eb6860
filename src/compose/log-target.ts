import { closeSync, mkdirSync, openSync, renameSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { OperatorError } from '../core/errors.ts';
import { type DestinationStream, standardError } from '../core/logger.ts';

export type LogWish = 'json' | 'file';
const WISHES: readonly LogWish[] = ['json', 'file'];

/** `--log json` or `--log file`; undefined lets the terminal decide. @throws OperatorError on anything else. */
export function logWishOf(args: readonly string[]): LogWish | undefined {
  try {
    const { log } = parseArgs({ args: [...args], options: { log: { type: 'string' } } }).values;
    if (log === undefined || WISHES.includes(log as LogWish)) return log as LogWish | undefined;
  } catch {
    // Said below.
  }
  throw new OperatorError(`Unknown arguments: ${args.join(' ')}. There is --log json, and --log file.`);
}

export interface LogTargetOptions {
  readonly wish: LogWish | undefined;
  readonly dataDir: string;
  /** Whether a person reads standard error; `write` shows something to that person. */
  readonly terminal: { readonly isTTY: boolean; write(text: string): void };
}

const FILE = 'gateway.log';
/** The file is set aside at this size, and replaces the one set aside before. */
const FILE_BYTES_MAX = 20_000_000;

/**
 * Where the log goes. Services and containers read JSON lines on standard error; at a terminal a person does, so the lines go
 * to a file in the data folder and the terminal shows warnings and errors as sentences. A folder that cannot be written to
 * leaves everything on standard error.
 */
export function logTarget({ wish, dataDir, terminal }: LogTargetOptions): {
  readonly stream: DestinationStream;
  readonly file?: string;
} {
  const isToFile = wish === 'file' || (wish === undefined && terminal.isTTY);
  if (!isToFile) return { stream: standardError() };
  const path = join(dataDir, FILE);
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o711 });
    setAside(path, FILE_BYTES_MAX);
    return { stream: filed(path, terminal), file: path };
  } catch {
    return { stream: standardError() };
  }
}

/** @throws where the file cannot be opened. A line that cannot be written (disk full) is lost, and nothing else. */
function filed(path: string, terminal: LogTargetOptions['terminal']): DestinationStream {
  const open = (): number => openSync(path, 'a', 0o600);
  let file = open();
  let bytes = 0;
  const keep = (line: string): void => {
    bytes += line.length;
    if (bytes > FILE_BYTES_MAX) {
      bytes = 0;
      setAside(path, 0);
      const full = file;
      file = open();
      closeSync(full);
    }
    writeSync(file, line);
  };
  return {
    write: (line) => {
      try {
        keep(line);
      } catch {
        // What must be seen is shown all the same.
      }
      const sentence = sentenceOf(line);
      if (sentence !== undefined) terminal.write(`${sentence}\n`);
    },
  };
}

function setAside(path: string, aboveBytes: number): void {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > aboveBytes) renameSync(path, `${path}.1`);
}

const SHOWN: Readonly<Record<string, string>> = { warn: 'warning', error: 'error', fatal: 'error' };
/** Fields that say what went wrong. */
const TELLING = ['warning', 'why', 'error', 'detail', 'reason'] as const;

/** A warning or an error as a person reads it; undefined for everything else. */
export function sentenceOf(line: string): string | undefined {
  let fields: Record<string, unknown>;
  try {
    fields = JSON.parse(line) as Record<string, unknown>;
  } catch {
    return undefined;
  }
  const word = SHOWN[String(fields['level'])];
  if (word === undefined) return undefined;
  const told = TELLING.map((name) => fields[name]).filter((value) => typeof value === 'string');
  return `${word}: ${[String(fields['msg']), ...told].join(': ')}`;
}
