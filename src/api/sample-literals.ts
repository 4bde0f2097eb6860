/** JSON values as source text of the languages of the samples. */

/** A value as JavaScript: single quotes, bare keys. */
export function jsLiteral(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return `[${value.map(jsLiteral).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const fields = Object.entries(value).map(([name, field]) => `${bareKey(name)}: ${jsLiteral(field)}`);
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}

const bareKey = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name));
const quoted = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

const PYTHON_WORDS: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };

/** A value as Python. JSON strings are Python strings as they are. */
export function pythonLiteral(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(pythonLiteral).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).map(([name, field]) => `${JSON.stringify(name)}: ${pythonLiteral(field)}`);
    return `{${fields.join(', ')}}`;
  }
  const json = JSON.stringify(value);
  return PYTHON_WORDS[json] ?? json;
}

/** A text as one word of a POSIX shell. */
export const shellWord = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
