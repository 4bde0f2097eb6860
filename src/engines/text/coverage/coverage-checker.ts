import { detectLanguage } from '../../../language/detect-language.ts';
import type { Coverage, CoverageChecker, FlaggedToken, TextNormalizer } from '../contract.ts';
import { reasonFor, type Surroundings } from './classify.ts';
import { hintFor, Readings } from './hints.ts';

/** From this share of Arabic letters on, Latin words are words inside Arabic text. */
const ARABIC_SHARE = 0.3;
/** A text that begins in Arabic is Arabic with names in it, from this share on. */
const ARABIC_FIRST_SHARE = 0.1;
/** Shorter than this, capitals are words of their own, not shouting. */
const SHOUTED_WORDS_MIN = 3;

const INVISIBLE = /[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;
const WHITE_SPACE = /\s+/u;
/** Punctuation round a token; what belongs to a number or a name (+ % # currency signs) stays. */
const LEADING = /^(?:[^\p{L}\p{N}\p{Sc}+#٪-]|[-#+٪](?!\p{N}))+/u;
const TRAILING = /[^\p{L}\p{N}\p{Sc}%٪+#°²³\p{M}]+$/u;
const SPOKEN = /[\p{L}\p{N}]/u;

export interface CoverageOptions {
  /** Says in the hints what it would make of a token; without it they come from the tables of acronyms and names. */
  readonly normalizer?: TextNormalizer;
}

/** A checker by spelling: Latin words in Arabic text, digits, asset tags, acronyms. Pure; linear in the length of the text. */
export function createCoverageChecker(options: CoverageOptions = {}): CoverageChecker {
  return { check: (text) => check(text, options.normalizer) };
}

function check(text: string, normalizer: TextNormalizer | undefined): Coverage {
  const language = detectLanguage(text);
  const surroundings = surroundingsOf(text);
  const hintLanguage = surroundings.arabic ? 'ar' : language;
  let readings: Readings | undefined;
  let count = 0;
  const flagged: FlaggedToken[] = [];
  for (const piece of text.replace(INVISIBLE, '').split(WHITE_SPACE)) {
    const token = stripped(piece);
    if (!SPOKEN.test(token)) continue;
    count += 1;
    const reason = reasonFor(token, surroundings);
    if (reason === undefined) continue;
    readings ??= new Readings(normalizer?.normalize(text, hintLanguage).replacements);
    flagged.push({ token, reason, hint: hintFor(token, reason, hintLanguage, readings.of(token, reason)) });
  }
  const coverage = count === 0 ? 1 : (count - flagged.length) / count;
  return {
    language,
    token_count: count,
    flagged_count: flagged.length,
    coverage: Math.round(coverage * 10_000) / 10_000,
    flagged,
  };
}

/** `U.S.A.` keeps its last dot. */
function stripped(piece: string): string {
  const token = piece.replace(LEADING, '');
  const bare = trimmed(token);
  return /^(?:\p{L}\.){2,6}$/u.test(token) ? token : bare;
}

/** TRAILING by hand: a pattern that ends in `+$` looks again at every character of a long run. */
function trimmed(token: string): string {
  let end = token.length;
  while (end > 0 && TRAILING.test(token.charAt(end - 1)) && !isLowSurrogate(token.charCodeAt(end - 1))) end -= 1;
  return token.slice(0, end);
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

function surroundingsOf(text: string): Surroundings {
  const arabic = text.match(/\p{Script=Arabic}/gu)?.length ?? 0;
  const latin = text.match(/\p{Script=Latin}/gu)?.length ?? 0;
  const share = arabic === 0 ? 0 : arabic / (arabic + latin);
  const first = /[\p{Script=Arabic}\p{Script=Latin}]/u.exec(text)?.[0] ?? '';
  const arabicFirst = /\p{Script=Arabic}/u.test(first) && share >= ARABIC_FIRST_SHARE;
  const words = text.match(/[A-Za-z]{2,}/g) ?? [];
  const shouted = words.length >= SHOUTED_WORDS_MIN && words.every((word) => word === word.toUpperCase());
  return { arabic: share >= ARABIC_SHARE || arabicFirst || (arabic > 0 && latin === 0), shouted };
}
