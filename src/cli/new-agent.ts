import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { agentTemplate } from '../config/agent-template.ts';
import type { Language } from '../core/agent.ts';
import { errorText, OperatorError } from '../core/errors.ts';
import type { CommandContext } from './context.ts';
import { emit } from './output.ts';

/** The first number that a new agent is given where none is said. */
const FIRST_NUMBER = 3_000;
const NAME_CHARS_MAX = 100;
const NUMBERS_MAX = 10_000;
const SCHEMA = fileURLToPath(new URL('../../config/agents/agent.schema.json', import.meta.url));

export interface NewAgentOptions {
  readonly language: Language;
  readonly number?: string;
  readonly folder?: string;
}

/** Writes a small agent file that works as it stands. A file that is there is never written over. */
export function newAgent(context: CommandContext, name: string, options: NewAgentOptions): void {
  const { config, out } = context;
  const folder = resolve(options.folder ?? config.paths.agentsDir);
  const base = fileNameOf(name);
  if (base === '' || name.length > NAME_CHARS_MAX) {
    throw new OperatorError(`A name has letters or digits, at most ${NAME_CHARS_MAX} characters, got "${name}"`);
  }
  if (options.number !== undefined && !/^[A-Za-z0-9+*#._-]{1,64}$/.test(options.number)) {
    throw new OperatorError(`--number: expected a number like 3000 or +966112345678, got "${options.number}"`);
  }
  const path = join(folder, `${base}.yaml`);
  const number = options.number ?? freeNumber(folder);
  const text = agentTemplate(options.language, {
    ...{ name, number, voice: config.speech.defaultVoice[options.language] },
    schema: existsSync(SCHEMA) ? relative(folder, SCHEMA) : 'agent.schema.json',
  });
  write(path, text);
  emit(out, { file: path, name, number, language: options.language }, () => {
    out.write(`${near(path)}: ${name} answers ${number}.\n`);
    out.write(`Check it: nidaa agents validate ${near(path)}\nPublish it: nidaa agents import ${near(folder)}\n`);
  });
}

/** A path as it is typed from here. */
function near(path: string): string {
  const from = relative(process.cwd(), path);
  return from === '' ? '.' : from.startsWith('..') ? path : from;
}

function write(path: string, text: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw new OperatorError(`${path} is there already`);
    throw new OperatorError(`${path} cannot be written: ${errorText(error)}`);
  }
}

/** `Corner Bakery` -> `corner-bakery`; letters of every script stay. */
function fileNameOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60);
}

/** The first number from 3000 on that no file of the folder answers. */
function freeNumber(folder: string): string {
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => /\.ya?ml$/u.test(name)) : [];
  const taken = new Set(
    files.map((name) => /^number:\s*["']?([^"'\s#]+)/mu.exec(readFileSync(join(folder, name), 'utf8'))?.[1]),
  );
  for (let number = FIRST_NUMBER; number < FIRST_NUMBER + NUMBERS_MAX; number += 1) {
    if (!taken.has(String(number))) return String(number);
  }
  throw new OperatorError('Every number is taken: name one with --number');
}
