type Parts = readonly (string | RegExp)[];

/** Line ends, and the spaces that a line begins with. */
const LAYOUT = /\n\s*/g;

/**
 * A part of a regular expression that is written over several lines: line ends, and the spaces that a line begins with, are layout and
 * do not belong to it. No line of it may begin with a space of its own. Backslashes stand as in a literal.
 */
export function partOf({ raw }: TemplateStringsArray, ...parts: Parts): string {
  const sources = parts.map((part) => (part instanceof RegExp ? part.source : part));
  return raw.map((written, i) => written.replace(LAYOUT, '') + (sources[i] ?? '')).join('');
}

/** A whole regular expression that is written so. @param flags - as behind a literal. */
export function pattern(flags = ''): (written: TemplateStringsArray, ...parts: Parts) => RegExp {
  return (written, ...parts) => new RegExp(partOf(written, ...parts), flags);
}
