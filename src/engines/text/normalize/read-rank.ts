import { foldWord } from '../../../language/fold-word.ts';
import { LABEL_BEFORE, NUMBERED_BY, ORDINAL_LABELS, RANKED_LABELS, RANKED_PAIRS } from '../lexicon/context-words.ts';
import { isCountedAccusative, isLikelyCounted } from './noun-gender.ts';
import { adjoins, isInClause } from './number-context.ts';
import type { Scan } from './scan.ts';
import { type Classified, classified } from './token.ts';

/** Above this a label is said with a cardinal. */
const RANK_MAX = 100;
const THIS = /^(?:ب|ل|و)?هذ[اه]$/u;

/** `الدور 3`, `المركز 2`, `المادتين 3 و4`: the number ranks what stands before it and counts nothing. */
export function readRank(scan: Scan, at: number, end: number, value: number | undefined): Classified | undefined {
  if (scan.language !== 'ar' || value === undefined || value === 0 || value > RANK_MAX) return undefined;
  if (scan.text[at - 1] === '+') return undefined; // في الدقيقة 90+3
  if (!adjoins(scan, at)) return undefined;
  const gender = pairGender(scan, at);
  if (gender !== undefined) return classified({ kind: 'ordinal', value, gender }, at, end);
  // `رقم الدور 45` is the number of a turn.
  if (isInClause(scan, at, NUMBERED_BY, 2)) return undefined;
  const firm = scan.leftIn(at, ORDINAL_LABELS, 1) && !countsPupils(scan, end, value);
  if (
    !firm &&
    !(scan.leftIn(at, RANKED_LABELS, 1) && !THIS.test(scan.left(at, 2)) && !isLikelyCounted(scan.next(end).word))
  )
    return undefined;
  return classified({ kind: 'ordinal', value }, at, end);
}

/** `المادتين 3 و4`. */
function pairGender(scan: Scan, at: number): 'm' | 'f' | undefined {
  return RANKED_PAIRS.get(scan.left(at)) ?? (scan.left(at) === 'و' ? RANKED_PAIRS.get(scan.left(at, 2)) : undefined);
}

/** `في الصف 31 طالباً`, `23 طالبة`: the number counts them and does not name the class. */
function countsPupils(scan: Scan, end: number, value: number): boolean {
  const { word } = scan.next(end);
  if (isCountedAccusative(word)) return true;
  return value > 10 && /^(?!\u0627\u0644).{2,}[\u0629\u0647]$/u.test(word) && !LABEL_BEFORE.has(foldWord(word));
}
