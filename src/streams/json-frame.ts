/** The fields of a JSON object, without a prototype's; undefined when the text is something else. Never throws. */
export function jsonFields(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}

export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.assign(Object.create(null) as Record<string, unknown>, value);
}

/** A string of at most `max` characters; anything else is undefined. */
export function textOf(value: unknown, max: number): string | undefined {
  return typeof value === 'string' && value.length <= max ? value : undefined;
}
