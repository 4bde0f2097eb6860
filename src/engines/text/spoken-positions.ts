import type { Normalized } from './contract.ts';

/** `normalized` from `spokenStart` to `spokenEnd` stands for `original` from `start` to `end`. */
interface Anchor {
  readonly start: number;
  readonly end: number;
  readonly spokenStart: number;
  readonly spokenEnd: number;
}

/**
 * Where a text that was said up to a place of its normalised form stands in the original: after the last whole word of it.
 * A number that became several words counts when the last of them was said.
 */
export function originalPlaces({ original, normalized, replacements }: Normalized): (spokenEnd: number) => number {
  const anchors: Anchor[] = [];
  let end = 0;
  let spokenEnd = 0;
  for (const { from, to } of replacements) {
    const start = original.indexOf(from, end);
    const spokenStart = normalized.indexOf(to, spokenEnd);
    if (start < 0 || spokenStart < 0) continue;
    end = start + from.length;
    spokenEnd = spokenStart + to.length;
    anchors.push({ start, end, spokenStart, spokenEnd });
  }
  return (place) => {
    const before = anchors.findLast((anchor) => anchor.spokenEnd <= place);
    const next = anchors.find((anchor) => anchor.spokenEnd > place);
    if (next && place > next.spokenStart) return next.start;
    const plain = (before?.end ?? 0) + place - (before?.spokenEnd ?? 0);
    return Math.min(endOfWord(original, plain), next?.start ?? original.length);
  };
}

/** Cleaning removes characters (vowel signs, doubled spaces): what remains of the word was said too. */
function endOfWord(text: string, place: number): number {
  let end = Math.min(place, text.length);
  while (end > 0 && end < text.length && /\S/.test(text[end]!) && /\S/.test(text[end - 1]!)) end += 1;
  return end;
}
