/** What was made of a call after its end, where its agent asks for that. */
export interface Analysis {
  readonly outcome: string | undefined;
  readonly summary: string | undefined;
  readonly fields: readonly { readonly name: string; readonly value: string }[];
}

/** Undefined where there is nothing to show. */
export function analysisOf(call: object): Analysis | undefined {
  const { outcome, summary, fields } = call as Readonly<Record<string, unknown>>;
  const found = { outcome: textOf(outcome), summary: textOf(summary), fields: fieldsOf(fields) };
  return found.outcome === undefined && found.summary === undefined && found.fields.length === 0 ? undefined : found;
}

function fieldsOf(fields: unknown): Analysis['fields'] {
  if (typeof fields !== 'object' || fields === null) return [];
  const pairs: (readonly [unknown, unknown])[] = Array.isArray(fields)
    ? fields.map((field: { name?: unknown; value?: unknown } | null) => [field?.name, field?.value])
    : Object.entries(fields);
  return pairs.flatMap(([name, value]) => {
    const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : textOf(value);
    return typeof name === 'string' && text !== undefined ? [{ name, value: text }] : [];
  });
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined;
