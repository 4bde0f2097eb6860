/** Words longer than this are compared by their beginnings. */
const MAX_COMPARED = 24;

/** How alike two words are, 0..1: one minus the edit distance (swaps count once) over the longer length. */
export function similarity(a: string, b: string): number {
  if (a === b) return 1;
  const left = a.slice(0, MAX_COMPARED);
  const right = b.slice(0, MAX_COMPARED);
  const longer = Math.max(left.length, right.length);
  if (longer === 0 || Math.abs(left.length - right.length) > longer / 2) return 0;
  return 1 - editDistance(left, right) / longer;
}

/** Damerau-Levenshtein (optimal string alignment) in three rows. */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1));
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) cost = Math.min(cost, beforeLast[j - 2]! + 1);
      row.push(cost);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length]!;
}

/** The character trigrams of a text without spaces, with edges marked. */
export function trigrams(text: string): string[] {
  const joined = `^${text.replace(/ /g, '')}$`;
  const grams: string[] = [];
  for (let i = 0; i + 3 <= joined.length; i += 1) grams.push(joined.slice(i, i + 3));
  return grams;
}

/**
 * How a word sounds, roughly: consonants in classes, vowels gone. `council`, `cancel` and `cansell` are the same, which is
 * what a recogniser confuses; so are `التبييض` and `تبيظ`.
 */
export function soundOf(word: string): string {
  if (/^[a-z]+$/.test(word)) return englishSound(word);
  return /^[\u0621-\u064a]+$/.test(word) ? arabicSound(word) : '';
}

function englishSound(word: string): string {
  const hard = word
    .replace(/^kn/, 'n')
    .replace(/^wr/, 'r')
    .replace(/tch/g, 'j')
    .replace(/th/g, 't')
    .replace(/[sc]h/g, 'j')
    .replace(/ph/g, 'f')
    .replace(/ck/g, 'k')
    .replace(/c(?=[eiy])/g, 's')
    .replace(/[cq]/g, 'k')
    .replace(/x/g, 'ks')
    .replace(/z/g, 's')
    .replace(/[dt]/g, 't')
    .replace(/[bp]/g, 'p')
    .replace(/[fv]/g, 'f')
    .replace(/[gj]/g, 'j');
  const first = /^[aeiou]/.test(hard) ? 'a' : '';
  return first + hard.replace(/[aeiouhwy]/g, '').replace(/(.)\1+/g, '$1');
}

const ARABIC_ARTICLE = /^[وفبك]?(?:ال|لل)(?=.{3})/;

function arabicSound(word: string): string {
  return word
    .replace(ARABIC_ARTICLE, '')
    .replace(/[طت]/g, 'ت')
    .replace(/[صسثضظذز]/g, 'س')
    .replace(/[قكغ]/g, 'ك')
    .replace(/[حخ]/g, 'ح')
    .replace(/[اويهع]/g, '')
    .replace(/(.)\1+/g, '$1');
}
