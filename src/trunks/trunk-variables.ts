const NAME_CHARACTERS_MAX = 64;
const VALUE_CHARACTERS_MAX = 512;
const VARIABLES_MAX = 32;

/** The variable of a header: lower case, without `x-`, what is no letter, digit, `_` or `-` replaced. */
export const variableName = (header: string): string =>
  header
    .toLowerCase()
    .replace(/^x-/, '')
    .replace(/[^a-z0-9_-]/g, '_')
    .slice(0, NAME_CHARACTERS_MAX);

/** Those headers of an INVITE that a trunk's `headersIn` name, as variables of the call. Never throws. */
export function variablesOf(
  headers: Readonly<Record<string, string>>,
  headersIn: readonly string[],
): Readonly<Record<string, string>> {
  const wanted = new Set(headersIn.map((name) => name.toLowerCase()));
  const found = Object.entries(headers)
    .filter(([name, value]) => wanted.has(name.toLowerCase()) && typeof value === 'string')
    .slice(0, VARIABLES_MAX)
    .map(([name, value]) => [variableName(name), cleanValue(value)] as const);
  return Object.fromEntries(found);
}

const PLACE = /\{([A-Za-z0-9_-]{1,64})\}/g;

/** Headers of a call out, with variables of the call put in. One that has nothing but missing variables is left out. */
export function headersOf(
  headersOut: Readonly<Record<string, string>>,
  variables: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const filled = Object.entries(headersOut).map(([name, value]) => {
    const text = value.replace(PLACE, (_, variable: string) =>
      Object.hasOwn(variables, variable) ? cleanValue(variables[variable] ?? '') : '',
    );
    return [name, text] as const;
  });
  return Object.fromEntries(filled.filter(([, text]) => text.trim() !== ''));
}

const cleanValue = (value: string): string =>
  value
    .replace(/[\u0000-\u001f\u007f]/g, ' ')
    .trim()
    .slice(0, VALUE_CHARACTERS_MAX);
