import { fold } from '../fold.ts';
import { REFUSALS } from '../phrases/cues.ts';

/** Deny the one word behind them: `مو تقويم`. */
export const NOT_WORDS: ReadonlySet<string> = new Set(
  ['not', 'مو', 'مب', 'مش', 'موب', 'مهب', 'مهوب', 'ليس', 'وليس'].map((word) => fold(word)),
);
/** Single words right before a value; `غير الجمعة` is any other day. */
const REFUSES = new Set(
  `${REFUSALS}|غير`
    .split('|')
    .filter((phrase) => !phrase.includes(' '))
    .map((word) => fold(word)),
);
const BETWEEN = new Set(
  ['on', 'at', 'the', 'this', 'a', 'any', 'want', 'need', 'like', 'يوم', 'الساعه', 'في'].map((word) => fold(word)),
);
/** `why not Friday` takes it. */
const ACCEPTS = new Set(['why', 'ليش', 'وليش'].map((word) => fold(word)));

/**
 * Whether the value whose words begin at a place is refused: `not on Friday`, `مو تقويم`.
 *
 * @param compared - words behind which stands what another value is liked better than.
 */
export function isRefusedAt(plain: readonly string[], start: number, compared?: ReadonlySet<string>): boolean {
  let at = start - 1;
  while (at >= 0 && BETWEEN.has(plain[at]!)) at -= 1;
  if (compared?.has(plain[at] ?? '')) return true;
  return REFUSES.has(plain[at] ?? '') && !ACCEPTS.has(plain[at - 1] ?? '');
}
