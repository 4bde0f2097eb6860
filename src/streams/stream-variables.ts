import { fieldsOf, textOf } from './json-frame.ts';

/** As the reply operation takes them. */
const VARIABLES_MAX = 50;
const VALUE_CHARS_MAX = 1_000;
const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

export type Variables = Readonly<Record<string, string>>;

/** @returns undefined when something about them is not as it must be. */
export function readVariables(value: unknown): Variables | undefined {
  if (value === undefined) return {};
  const fields = fieldsOf(value);
  if (!fields || Object.keys(fields).length > VARIABLES_MAX) return undefined;
  const variables: Record<string, string> = {};
  for (const [name, one] of Object.entries(fields)) {
    const text = textOf(one, VALUE_CHARS_MAX);
    if (text === undefined || !NAME.test(name)) return undefined;
    variables[name] = text;
  }
  return variables;
}

/** Those that can be taken: a carrier's call is not refused for the others. */
export function takeVariables(entries: Iterable<readonly [string, unknown]>): Variables {
  const variables: Record<string, string> = {};
  for (const [name, one] of entries) {
    if (Object.keys(variables).length >= VARIABLES_MAX) break;
    const text = textOf(one, VALUE_CHARS_MAX);
    if (text !== undefined && NAME.test(name)) variables[name] = text;
  }
  return variables;
}
