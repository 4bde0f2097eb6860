import { CALL_NOTICES } from './notices/call-notices.ts';
import { DEFINITION_NOTICES } from './notices/definition-notices.ts';
import { ENGINE_NOTICES } from './notices/engine-notices.ts';
import { REQUEST_NOTICES } from './notices/request-notices.ts';
import { TRUNK_NOTICES } from './notices/trunk-notices.ts';

/** Sentences that are kept or handed on as text: their code is read back from them (`noticeOf`). */
const KEPT = { ...CALL_NOTICES, ...REQUEST_NOTICES, ...ENGINE_NOTICES } as const;
/** What people are told in sentences: what is wrong, why not, what would help. The one place of the English of all of them. */
export const NOTICES = { ...DEFINITION_NOTICES, ...TRUNK_NOTICES, ...KEPT } as const;

export type NoticeCode = keyof typeof NOTICES;
export type KeptCode = keyof typeof KEPT;
type Holes<T extends string> = T extends `${string}<${infer Name}>${infer Rest}` ? Name | Holes<Rest> : never;
type Fill<C extends NoticeCode> = Readonly<Record<Holes<(typeof NOTICES)[C]>, string | number | Notice>>;
type Filled<C extends NoticeCode> = [Holes<(typeof NOTICES)[C]>] extends [never] ? [] : [params: Fill<C>];

/** A sentence as data: what it says, and the values in it. `textOf` makes it English; whoever shows it, its own language. */
export interface Notice {
  readonly code: string; // of `NOTICES`
  readonly params: Readonly<Record<string, string | Notice>>;
}

const HOLE = /<([a-z]+)>/g;

/** Typed by the sentence: every hole of it has to be filled, and nothing else. */
export function notice<C extends NoticeCode>(code: C, ...[params]: Filled<C>): Notice {
  const filled = Object.entries<string | number | Notice>(params ?? {});
  const values = filled.map(([name, value]) => [name, typeof value === 'number' ? String(value) : value] as const);
  return { code, params: Object.fromEntries(values) };
}

/** In English. */
export function textOf(said: string | Notice): string {
  if (typeof said === 'string') return said;
  const { code, params } = said;
  const template: string = NOTICES[code as NoticeCode] ?? code; // a later reader of YAML may have codes that are not here
  return template.replace(HOLE, (_all, name: string) => textOf(params[name] ?? ''));
}

/** The English of something that is kept as text; `noticeOf` reads it back. */
export const sentence = <C extends KeptCode>(code: C, ...params: Filled<C>): string => textOf(notice(code, ...params));

/** What a kept text is about: each kind is read back by itself. */
export const KINDS = {
  end: ['list', 'end', 'full', 'route', 'engine'], // of a call
  remedy: ['remedy'],
  request: ['list', 'refused', 'order', 'route', 'end', 'full', 'run'],
  fault: ['fault'],
  run: ['run'],
  engine: ['list', 'engine'],
  part: ['list', 'engine', 'part', 'full'], // of the gateway
  webhook: ['webhook'],
} as const;
export type NoticeKind = keyof typeof KINDS;

interface Pattern {
  readonly code: KeptCode;
  readonly text: RegExp;
  readonly holes: readonly string[];
}
const patterns = new Map<NoticeKind, readonly Pattern[]>();

/** Holes with another sentence in them; all others have plain values. */
const NESTED: ReadonlySet<string> = new Set(['why', 'first', 'rest']);
const NESTED_MAX = 8;

/**
 * What a kept sentence says: its code and values. Records and logs of calls hold texts, of others too (a SIP phrase, a library), which have
 * no code. Of several sentences that fit it is the one with the most words of its own.
 */
export function noticeOf(text: string, kind: NoticeKind, depth = 0): Notice | undefined {
  if (depth > NESTED_MAX) return undefined;
  for (const { code, text: form, holes } of patternsOf(kind)) {
    const found = form.exec(text);
    if (!found) continue;
    const params = valuesOf(holes, found.slice(1), kind, depth);
    if (params) return { code, params };
  }
  return undefined;
}

/** @returns undefined where something that has to be a sentence is none. */
function valuesOf(
  holes: readonly string[],
  texts: readonly string[],
  kind: NoticeKind,
  depth: number,
): Notice['params'] | undefined {
  const params: Record<string, string | Notice> = {};
  for (const [index, name] of holes.entries()) {
    const text = texts[index] ?? '';
    const value = NESTED.has(name) ? noticeOf(text, kind, depth + 1) : text;
    if (value === undefined) return undefined;
    params[name] = value;
  }
  return params;
}

function patternsOf(kind: NoticeKind): readonly Pattern[] {
  const known = patterns.get(kind);
  if (known) return known;
  const groups: readonly string[] = KINDS[kind];
  const codes = (Object.keys(KEPT) as KeptCode[]).filter((code) => groups.includes(code.split('.')[0]!));
  const ownLength = (code: KeptCode): number => KEPT[code].replace(HOLE, '').length;
  const made = codes.sort((a, b) => ownLength(b) - ownLength(a)).map(patternOf);
  patterns.set(kind, made);
  return made;
}

function patternOf(code: KeptCode): Pattern {
  const template: string = KEPT[code];
  const own = template.split(/<[a-z]+>/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const holes = [...template.matchAll(HOLE)].map(([, name]) => name!);
  return { code, holes, text: new RegExp(`^${own.join('([^]{1,1000}?)')}$`) };
}
