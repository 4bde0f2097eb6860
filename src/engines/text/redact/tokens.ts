/**
 * How a piece of a number that is read out goes on from the piece before it: after a pause, after the other side has taken that down
 * or said it again, or in its place.
 */
export type Bridge = 'pause' | 'turn' | 'repair';

/** A run of letters or of digits in the canonical text; `start` and `end` are indexes into it. */
export interface Token {
  readonly type: 'word' | 'digits';
  readonly start: number;
  readonly end: number;
  /** The word in lower case, or the digits. */
  readonly text: string;
  /** Digits said as words. */
  readonly spoken?: true;
  /** It goes on with the number before it, over words that are no part of it and are left out of the tokens. */
  readonly joined?: Bridge;
  /** Counts up at every end of a sentence or line. */
  readonly sentence: number;
}

const TOKEN = /[0-9]+|[a-zß-öø-ɏ]+|[\u0620-\u063f\u0641-\u064a\u066e-\u06d3\u06fa-\u06fc]+/g;
const ABBREVIATION_LETTERS = 3;
const INITIALS = new Set('mr mrs ms dr eng prof no st tel ext mob ref acc acct'.split(' '));
const LINE = 0x0a;
const DOT = 0x2e;

/** Words and numbers of a canonical text in lower case, in order. */
export function tokenize(lower: string): Token[] {
  const tokens: Token[] = [];
  let sentence = 0;
  let previous: Token | undefined;
  for (const match of lower.matchAll(TOKEN)) {
    const start = match.index;
    const text = match[0];
    if (previous !== undefined && endsSentence(lower, previous, start)) sentence += 1;
    const first = text.charCodeAt(0);
    const token: Token = {
      type: first >= 0x30 && first <= 0x39 ? 'digits' : 'word',
      start,
      end: start + text.length,
      text,
      sentence,
    };
    tokens.push(token);
    previous = token;
  }
  return tokens;
}

function endsSentence(lower: string, previous: Token, until: number): boolean {
  for (let at = previous.end; at < until; at += 1) {
    const code = lower.charCodeAt(at);
    if (code === LINE) return true;
    if (code === 0x21 || code === 0x3f) return true; // ! ?
    const spaced = at + 1 < until && /\s/.test(lower.charAt(at + 1));
    if (code === DOT && spaced && !isAbbreviation(previous)) return true;
  }
  return false;
}

/** `د. سارة`, `No. 5`, `Mr. Ali`: the dot belongs to the word. */
function isAbbreviation(token: Token): boolean {
  if (token.type === 'digits') return false;
  if (token.text.charCodeAt(0) >= 0x600) return token.text.length < ABBREVIATION_LETTERS;
  return token.text.length === 1 || INITIALS.has(token.text);
}
