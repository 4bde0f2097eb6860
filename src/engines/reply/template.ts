import { fold } from '../../language/fold.ts';

const VARIABLE = /\{\{\s*([A-Za-z_][A-Za-z0-9_]{0,63})\s*\}\}/g;
const MAX_VALUE_CHARS = 1_000;
/** A sentence this short is a greeting or a vocative: it stands without the value. */
const STANDS_ALONE_WORDS = 3;
/** A prompt cut by the caller is recognised from this many folded characters on. */
const MIN_CUT_CHARS = 10;

export type Lookup = (name: string) => string | undefined;

/** Names of the variables of a template, in order. */
export function variablesOf(template: string): string[] {
  return [...template.matchAll(VARIABLE)].map((match) => match[1]!);
}

/** The template with its variables filled in; a name without a value becomes '' and the punctuation closes up. */
export function fillTemplate(template: string, lookup: Lookup): string {
  return tidy(template.replace(VARIABLE, (_, name: string) => (lookup(name) ?? '').slice(0, MAX_VALUE_CHARS)));
}

/**
 * Like `fillTemplate`, for answers: a sentence whose point is a missing value is left out rather than said with a hole.
 * @returns '' when no sentence is left; the caller then says that it does not know.
 */
export function fillAnswer(template: string, lookup: Lookup): string {
  const kept: string[] = [];
  for (const sentence of template.match(/(?:[^.!?؟]|[.!?؟](?!\s|$))+[.!?؟]*\s*/g) ?? [template]) {
    const missing = variablesOf(sentence).filter((name) => (lookup(name) ?? '').trim() === '');
    const words = sentence.trim().split(/\s+/).length;
    const vocative = missing.every((name) =>
      new RegExp(`[,،]\\s*\\{\\{\\s*${name}\\s*\\}\\}|\\{\\{\\s*${name}\\s*\\}\\}\\s*[,،!]`).test(sentence),
    );
    if (missing.length === 0 || vocative || words <= STANDS_ALONE_WORDS) kept.push(fillTemplate(sentence, lookup));
  }
  return kept.join(' ').trim();
}

/** Closes the gaps an empty value leaves: `Hello , welcome` -> `Hello, welcome`. */
export function tidy(text: string): string {
  return text
    .replace(/[ \t\n]+/g, ' ')
    .replace(/ +([,،.!?؟:;])/g, '$1')
    .replace(/([,،])[,،]+/g, '$1')
    .replace(/[,،:]+([.!?؟])/g, '$1')
    .replace(/^[,،.:; ]+/, '')
    .trim();
}

/** A template ready to be recognised in what was said: folded literal parts around its variables. */
export interface CompiledTemplate {
  readonly literals: readonly string[];
  readonly names: readonly string[];
}

export function compileTemplate(template: string): CompiledTemplate {
  // A space of the template is kept, so that `or` is not found in `order`.
  const literals = template.split(/\{\{[^{}]*\}\}/).map((part, i) => {
    const folded = fold(part);
    if (folded === '') return '';
    return `${i > 0 && NOT_A_LETTER.test(part[0]!) ? ' ' : ''}${folded}${NOT_A_LETTER.test(part.at(-1)!) ? ' ' : ''}`;
  });
  return { literals, names: variablesOf(template) };
}

const NOT_A_LETTER = /[^\p{L}\p{N}]/u;

/**
 * Whether `text` (folded) is the template, or its beginning when the agent was interrupted, and which values it was
 * said with. Literal parts are found left to right, so the time is linear in the text. Values with nothing but
 * punctuation between them are captured together, each name getting the whole.
 * @returns the folded values by variable name, or undefined.
 */
export function matchTemplate(template: CompiledTemplate, text: string): Readonly<Record<string, string>> | undefined {
  const { literals, names } = template;
  const padded = `${text} `;
  const captured: Record<string, string> = {};
  const first = literals[0] ?? '';
  if (!padded.startsWith(first)) return cut(first, text) ? captured : undefined;
  let at = first.length;
  let open: string[] = [];
  for (let i = 1; i < literals.length; i += 1) {
    const name = names[i - 1];
    if (name !== undefined) open.push(name);
    const literal = literals[i]!;
    const isLast = i === literals.length - 1;
    if (literal === '' && !isLast) continue;
    const found = literal === '' ? padded.length : padded.indexOf(literal, at);
    // Interrupted inside or after a value: what was heard so far fits.
    if (found < 0) return at >= MIN_CUT_CHARS || cutTail(literal.trim(), text.slice(at).trim()) ? captured : undefined;
    for (const one of open) captured[one] = padded.slice(at, found).trim();
    open = [];
    at = found + literal.length;
    if (literal.endsWith(' ') && !isLast) at -= 1; // the space also begins the next value or literal
  }
  return at >= text.length ? captured : undefined;
}

function cut(literal: string, text: string): boolean {
  return text.length >= MIN_CUT_CHARS && literal.startsWith(text);
}

function cutTail(literal: string, rest: string): boolean {
  return rest.length > 2 && literal.startsWith(rest);
}

/** How what was heard compares with what was planned, both folded: all or the beginning of it, it and more, or other words. */
export function heardOf(planned: string, said: string): 'fits' | 'more' | 'other' {
  const whole = fold(planned);
  const heard = fold(said);
  if (heard === '') return 'other';
  if (whole.startsWith(heard)) return 'fits';
  return whole !== '' && heard.startsWith(whole) ? 'more' : 'other';
}
