/** A piece of a text; `found` where it is one of what was looked for. */
export interface TextPiece<T> {
  readonly text: string;
  readonly found: T | undefined;
}

/** A text cut where each of `wanted` stands, in their order. What is not there is left out. */
export function foundInText<T>(text: string, wanted: readonly T[], wordOf: (one: T) => string): TextPiece<T>[] {
  const pieces: TextPiece<T>[] = [];
  let at = 0;
  for (const one of wanted) {
    const word = wordOf(one);
    const begin = word === '' ? -1 : text.indexOf(word, at);
    if (begin === -1) continue;
    if (begin > at) pieces.push({ text: text.slice(at, begin), found: undefined });
    at = begin + word.length;
    pieces.push({ text: word, found: one });
  }
  if (at < text.length) pieces.push({ text: text.slice(at), found: undefined });
  return pieces;
}
