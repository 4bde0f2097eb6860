import type { Language } from '../../../core/agent.ts';
import { DIGIT_WORDS, LETTER_NAMES_AR } from '../../../language/letters.ts';
import type { Normalized } from '../contract.ts';
import { ACRONYMS } from '../lexicon/acronyms.ts';
import { TRANSLITERATIONS } from '../lexicon/transliterations.ts';
import type { Reason } from './classify.ts';

/** Longer readings are no hint. */
const READING_CHARS_MAX = 120;

/** What a token should be written as. */
export interface Reading {
  readonly said: string | undefined;
  /** Normalisation writes it so by itself. */
  readonly expands: boolean;
  /** What is said so as a whole, when the token is only a part of it: `SAR 100` for SAR. */
  readonly of?: string;
}

/** What to write instead, in the language of the text. */
export function hintFor(token: string, reason: Reason, language: Language, reading: Reading): string {
  const said = reading.said ?? fromTables(token, reason, language);
  if (said === token && reason === 'acronym') return readAsWord(token, language);
  const full = { ...reading, said };
  return language === 'ar' ? arabicHint(reason, full) : englishHint(reason, full);
}

/** NASA and IBAN are read as words. */
function readAsWord(token: string, language: Language): string {
  return language === 'ar'
    ? `يقرأ ككلمة؛ لتهجئته اكتب «${spelled(token, language)}».`
    : `Read as a word; to have it spelled write "${spelled(token, language)}".`;
}

const ARABIC_ADVICE: Readonly<Record<Reason, string>> = {
  digits: 'اكتب العدد بالحروف',
  acronym: 'اكتب الاختصار كما ينطق أو اكتب معناه',
  latin_word: 'اكتب الكلمة بحروف عربية كما تنطق',
  asset_tag: 'رمز أصل: افصل الحروف عن الأرقام واكتبها كما تنطق',
};
const ENGLISH_ADVICE: Readonly<Record<Reason, string>> = {
  digits: 'Write the number in words',
  acronym: 'Spell the letters apart or write what they stand for',
  latin_word: 'Write the word in Arabic letters, as it sounds',
  asset_tag: 'Asset tag: part letters from digits and write them as they are said',
};

function arabicHint(reason: Reason, { said, expands, of }: Reading): string {
  // A reading with Latin words left in it helps nobody.
  if (said !== undefined && /[A-Za-z]/.test(said)) return `${ARABIC_ADVICE.latin_word}.`;
  const instead = of === undefined ? '' : ` بدل «${of}»`;
  const write =
    said === undefined ? ARABIC_ADVICE[reason] : `${reason === 'asset_tag' ? 'رمز أصل: ' : ''}اكتب «${said}»${instead}`;
  return `${write}${expands ? '؛ التطبيع (normalize) يكتبها هكذا تلقائيا' : ''}.`;
}

function englishHint(reason: Reason, { said, expands, of }: Reading): string {
  const instead = of === undefined ? '' : ` for "${of}"`;
  const write =
    said === undefined
      ? ENGLISH_ADVICE[reason]
      : `${reason === 'asset_tag' ? 'Asset tag: write' : 'Write'} "${said}"${instead}`;
  return `${write}${expands ? '; text normalisation does this for you' : ''}.`;
}

function fromTables(token: string, reason: Reason, language: Language): string | undefined {
  if (reason === 'latin_word') return TRANSLITERATIONS.get(token.toLowerCase());
  if (reason === 'acronym') return acronym(token.replace(/[^A-Za-z0-9]/g, ''), language);
  if (reason === 'asset_tag') return spelled(token, language);
  return undefined;
}

function acronym(name: string, language: Language): string | undefined {
  const known = ACRONYMS.get(name.toUpperCase());
  const fixed = language === 'ar' ? known?.ar : known?.en;
  return fixed ?? spelled(name, language);
}

/** Letters and digits one by one. */
function spelled(token: string, language: Language): string | undefined {
  const words: string[] = [];
  for (const character of token.normalize('NFKC')) {
    const digit = '0123456789'.indexOf(character) >= 0 ? Number(character) : arabicDigit(character);
    if (digit !== undefined) words.push(DIGIT_WORDS[language][digit]!);
    else if (/[A-Za-z]/.test(character)) {
      const letter = character.toUpperCase();
      words.push(language === 'ar' ? LETTER_NAMES_AR[letter]! : letter);
    } else if (/\p{L}/u.test(character)) return undefined;
  }
  const text = words.join(' ');
  return text === '' || text.length > READING_CHARS_MAX ? undefined : text;
}

function arabicDigit(character: string): number | undefined {
  const at = Math.max('٠١٢٣٤٥٦٧٨٩'.indexOf(character), '۰۱۲۳۴۵۶۷۸۹'.indexOf(character));
  return at < 0 ? undefined : at;
}

/** Replacements that belong to no flagged token (Arabic abbreviations) are skipped, at most this many at a time. */
const LOOK_AHEAD = 12;

/** Finds what normalisation makes of each token; replacements come in the order of the text. */
export class Readings {
  readonly #replacements: Normalized['replacements'] | undefined;
  #next = 0;

  /** Without replacements it answers from what normalisation is known to expand: numbers, acronyms, names of the table. */
  constructor(replacements: Normalized['replacements'] | undefined) {
    this.#replacements = replacements;
  }

  /** The reading of a token, asked for in the order of the text. */
  of(token: string, reason: Reason): Reading {
    if (this.#replacements === undefined) {
      const named = reason === 'latin_word' && TRANSLITERATIONS.has(token.toLowerCase());
      return { said: undefined, expands: reason === 'digits' || reason === 'acronym' || named };
    }
    const limit = Math.min(this.#replacements.length, this.#next + LOOK_AHEAD);
    for (let at = this.#next; at < limit; at += 1) {
      const { from, to } = this.#replacements[at]!;
      if (from.includes(token)) {
        this.#next = from.endsWith(token) ? at + 1 : at; // `12 مارس 2025` covers two tokens
        return whole(token, from, to);
      }
      if (token.includes(from)) return this.#parts(token, at);
    }
    return { said: undefined, expands: false };
  }

  /** A token of several replacements: `USB-C`, `#4521`. */
  #parts(token: string, first: number): Reading {
    const words: string[] = [];
    let said = 0; // characters of the token
    let at = first;
    for (; at < this.#replacements!.length; at += 1) {
      const { from, to } = this.#replacements![at]!;
      const place = token.indexOf(from, said);
      if (place < 0) break;
      words.push(token.slice(said, place), to);
      said = place + from.length;
    }
    this.#next = at;
    const text = [...words, token.slice(said)].map((word) => word.replace(UNSAID, ' ').trim()).filter(Boolean);
    return { said: short(text.join(' ')), expands: true };
  }
}

const UNSAID = /[^\p{L}\p{N}\p{M}]+/gu;

function short(said: string): string | undefined {
  return said !== '' && said.length <= READING_CHARS_MAX ? said : undefined;
}

/** A replacement that is the token or holds it; a و before it belongs to the sentence. */
function whole(token: string, from: string, to: string): Reading {
  const joined = /^و\s?/u.exec(from)?.[0] ?? '';
  const bare = joined !== '' && !token.startsWith('و') && to.startsWith('و');
  const [of, said] = bare ? [from.slice(joined.length), to.slice(1)] : [from, to];
  return { said: short(said), expands: true, ...(of === token ? {} : { of }) };
}
