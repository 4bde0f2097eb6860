import { englishStem } from './english-stem.ts';

const ARABIC_PREFIXES = ['وال', 'بال', 'كال', 'فال', 'عال', 'هال', 'لل', 'ال'];
const ARABIC_SUFFIXES = 'تكم تنا كم هم ها نا ات ين ون تي تك ته ني يه ه ك ي ا و'.split(' ');

/**
 * A light stem of one folded word: articles, attached prepositions, personal verb prefixes and the commonest endings
 * fall away. It need not be a root; it must only be the same for `موعدي`, `الموعد` and `موعد`.
 */
export function stem(word: string): string {
  if (/[؀-ۿ]/.test(word)) return stemArabic(word);
  return englishStem(word);
}

function stemArabic(word: string): string {
  let out = word;
  for (const prefix of ARABIC_PREFIXES) {
    if (out.startsWith(prefix) && out.length - prefix.length >= 3) {
      out = out.slice(prefix.length);
      break;
    }
  }
  for (const suffix of ARABIC_SUFFIXES) {
    if (
      out.endsWith(suffix) &&
      out.length - suffix.length >= (suffix.length === 1 ? 3 : 2) + (suffix === 'ا' ? -1 : 0)
    ) {
      out = out.slice(0, -suffix.length);
      break;
    }
  }
  // Persons of the verb: احجز، نحجز، تحجز، يحجز.
  if (out.length >= 4 && /^[اتني]/.test(out)) out = out.slice(1);
  else if (out.length === 3 && /^ا/.test(out) && /[يا]$/.test(word)) out = out.slice(1);
  return out;
}
