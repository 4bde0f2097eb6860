import assert from 'node:assert/strict';

/**
 * Cuts text into pieces that are spoken one after the other. A piece ends at a full stop, question or exclamation mark
 * (Latin or Arabic) followed by white space, or at a line break; dots of abbreviations, initials, list numbers and
 * decimals do not end it. Pure: no clock, no language setting, Arabic and English may be mixed.
 */
export interface SentenceOptions {
  /** Longest piece, UTF-16 units. A longer sentence is cut at its last comma, else its last space, else hard. */
  readonly maxChars: number;
  /** The first piece may already end at a comma once it is this long, so that speech starts sooner; 0 waits for a sentence. */
  readonly firstClauseMinChars: number;
}

export const DEFAULT_SENTENCE_OPTIONS: SentenceOptions = { maxChars: 240, firstClauseMinChars: 0 };

/** Below this a forced cut could not keep a letter and its marks together. */
const MAX_CHARS_LOWEST = 16;
/** A forced cut prefers a comma only in the last part of the window, so that pieces do not become tiny. */
const CLAUSE_CUT_FROM = 0.4;

const SENTENCE_END = /[.!?؟۔…]/u;
const CLAUSE_END = /[,،;؛:]/u;
/** Quotes and brackets that still belong to the sentence they close. */
const CLOSER = /["'”’»)\]}]/u;
const SPACE = /\s/u;
const LINE_BREAK = /[\n\r\u2028\u2029]/u;
/** Marks that hang on the letter before them: a cut in front of one would change the letter. */
const HANGING = /\p{M}|[\u200c\udc00-\udfff]|\u200d/u;
const LETTER = /\p{L}/u;
const WORD = /[\p{L}\p{N}]/u;

/** Written with a dot in the middle of sentences; compared in lower case without the final dot. */
const ABBREVIATIONS: ReadonlySet<string> = new Set([
  ...['mr', 'mrs', 'ms', 'dr', 'prof', 'st', 'no', 'vs', 'eng', 'ext', 'tel', 'approx', 'dept', 'inc', 'ltd', 'co'],
  ...['jan', 'feb', 'mar', 'apr', 'jun', 'jul', 'aug', 'sep', 'sept', 'oct', 'nov', 'dec', 'e.g', 'i.e', 'cf'],
  ...['ص', 'ج', 'هـ', 'تحويلة'],
]);
/** `J.`, `د.`, `U.S.`, `ر.س.`: single letters, each with its dot. */
const INITIALS = /^(?:\p{L}\p{M}*)(?:\.\p{L}\p{M}*)*$/u;
/** One-letter English words do end sentences: `So do I.` */
const LETTER_WORDS: ReadonlySet<string> = new Set(['i']);
/** `1.` at the start of a piece numbers a list. */
const LIST_NUMBER = /^[\d٠-٩]{1,3}$/u;

/** The pieces of a whole text, trimmed, never empty. Nothing but white space between pieces is lost. */
export function splitSentences(text: string, options: SentenceOptions = DEFAULT_SENTENCE_OPTIONS): string[] {
  const stream = new SentenceStream(options);
  return [...stream.push(text), ...stream.end()];
}

/**
 * The same for text that arrives in pieces (a streamed reply): `push` returns the sentences that are complete with it.
 * However the text is cut, the result is that of `splitSentences`. Holds at most `maxChars` + one pushed piece.
 */
export class SentenceStream {
  #rest = '';
  #emitted = 0;

  constructor(readonly options: SentenceOptions = DEFAULT_SENTENCE_OPTIONS) {
    assert(options.maxChars >= MAX_CHARS_LOWEST);
    assert(options.firstClauseMinChars >= 0);
  }

  push(piece: string): string[] {
    this.#rest += piece;
    return this.#take(false);
  }

  /** No more text: what is left is a sentence whatever it ends with. The stream may be used again afterwards. */
  end(): string[] {
    const last = this.#take(true);
    this.#rest = '';
    this.#emitted = 0;
    return last;
  }

  #take(atEnd: boolean): string[] {
    const pieces: string[] = [];
    let from = 0;
    for (;;) {
      while (from < this.#rest.length && SPACE.test(this.#rest[from]!)) from += 1;
      // Only this window decides, so the answer is the same however the text was delivered.
      const window = this.#rest.slice(from, from + this.options.maxChars + 1);
      const closed = atEnd && from + window.length === this.#rest.length;
      const firstClause = this.#emitted === 0 ? this.options.firstClauseMinChars : 0;
      const length = pieceLength(window, closed, this.options.maxChars, firstClause);
      if (length === 0) break;
      pieces.push(window.slice(0, length).trimEnd());
      from += length;
      this.#emitted += 1;
    }
    this.#rest = this.#rest.slice(from);
    return pieces;
  }
}

/** Where the clauses of a text begin, after the first: past a comma, a colon or the end of a sentence that another word follows. */
export function clauseStarts(text: string): number[] {
  const starts: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const mark = text[at]!;
    const isEnd = SENTENCE_END.test(mark);
    if (!isEnd && !CLAUSE_END.test(mark)) continue;
    const end = isEnd ? endOfMarks(text, at) : at + 1;
    const isDotOfWord = mark === '.' && end === at + 1 && keepsDot(text, at);
    const next = text.slice(end).search(WORD);
    if (SPACE.test(text[end] ?? '') && !isDotOfWord && next >= 0) starts.push(end + next);
    at = end - 1;
  }
  return starts;
}

/** Length of the piece at the start of `window`, 0 while undecided. `closed`: nothing follows the window. */
function pieceLength(window: string, closed: boolean, maxChars: number, firstClauseMinChars: number): number {
  if (window === '') return 0;
  for (let at = 0; at < window.length; at += 1) {
    const mark = window[at]!;
    if (LINE_BREAK.test(mark)) return at;
    const isEnd = SENTENCE_END.test(mark);
    const isClause = firstClauseMinChars > 0 && CLAUSE_END.test(mark) && at + 1 >= firstClauseMinChars;
    if (!isEnd && !isClause) continue;
    const end = isEnd ? endOfMarks(window, at) : at + 1;
    if (end > maxChars) break;
    if (end === window.length) return closed ? end : 0;
    if (SPACE.test(window[end]!) && !(mark === '.' && end === at + 1 && keepsDot(window, at))) return end;
    at = end - 1;
  }
  if (window.length > maxChars) return forcedCut(window, maxChars);
  return closed ? window.length : 0;
}

/** `?!`, `...`, `."` are one end: the index after the last mark that belongs to it. */
function endOfMarks(window: string, at: number): number {
  let end = at + 1;
  while (end < window.length && (SENTENCE_END.test(window[end]!) || CLOSER.test(window[end]!))) end += 1;
  return end;
}

/** Whether the dot at `at` belongs to the word before it. */
function keepsDot(window: string, at: number): boolean {
  let start = at;
  while (start > 0 && !SPACE.test(window[start - 1]!) && !/["'“‘«([{]/u.test(window[start - 1]!)) start -= 1;
  const word = window.slice(start, at).toLowerCase();
  if (start === 0 && LIST_NUMBER.test(word)) return true;
  if (ABBREVIATIONS.has(word)) return true;
  return LETTER.test(word) && INITIALS.test(word) && !LETTER_WORDS.has(word);
}

function forcedCut(window: string, maxChars: number): number {
  let space = 0;
  for (let at = maxChars; at > 0; at -= 1) {
    if (!SPACE.test(window[at]!)) continue;
    if (space === 0) space = at;
    if (at < maxChars * CLAUSE_CUT_FROM) break;
    if (CLAUSE_END.test(window[at - 1]!)) return at;
  }
  if (space > 0) return space;
  for (let at = maxChars; at > maxChars / 2; at -= 1) if (!HANGING.test(window[at]!)) return at;
  return maxChars;
}
