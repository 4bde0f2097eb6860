import type { NativeResult } from './native.ts';
import type { HeardText, HeardWord } from './process-protocol.ts';

export const NOTHING_HEARD: HeardText = { text: '', confidence: 0 };
/** Of a model that does not say how sure it is: as sure as what is heard well. */
const CONFIDENCE_UNTOLD = 0.8;
const TEXT_CHARS_MAX = 20_000;
const LANGUAGE = /^(?:<\|)?([a-z]{2})(?:\|>)?$/;

/** What a recogniser says of a stretch of this length. @throws Error without a word of it, where the answer cannot be read. */
export function heardFrom(answer: () => NativeResult, stretchMs: number): HeardText {
  return heardText(read(answer), stretchMs);
}

/** The parser of JSON quotes what it does not understand, and errors are logged. */
function read(answer: () => NativeResult): NativeResult {
  try {
    return answer();
  } catch (error) {
    throw error instanceof SyntaxError ? new Error('the library gave an answer that is no JSON') : error;
  }
}

function heardText(result: NativeResult, stretchMs: number): HeardText {
  const text = result.text
    .replace(/[\s▁]+/g, ' ')
    .trim()
    .slice(0, TEXT_CHARS_MAX);
  if (text === '') return NOTHING_HEARD;
  const language = LANGUAGE.exec(result.lang ?? '')?.[1];
  const words = wordsOf(result, text, stretchMs);
  return { text, confidence: confidenceOf(result), ...(language && { language }), ...(words && { words }) };
}

/** The mean probability of tokens, which are told as logarithms. */
function confidenceOf({ ys_probs = [], ys_log_probs = [] }: NativeResult): number {
  const logs = [...ys_probs, ...ys_log_probs].filter((log) => Number.isFinite(log));
  if (logs.length === 0) return CONFIDENCE_UNTOLD;
  return logs.reduce((sum, log) => sum + Math.exp(Math.min(0, log)), 0) / logs.length;
}

/** A word begins with a token that has a space before it. None where tokens have no times, or are pieces of letters. */
function wordsOf(
  { tokens = [], timestamps = [] }: NativeResult,
  text: string,
  stretchMs: number,
): HeardWord[] | undefined {
  if (tokens.length === 0 || tokens.length !== timestamps.length) return undefined;
  const words: { text: string; startMs: number }[] = [];
  tokens.forEach((token, i) => {
    const said = token.replaceAll('▁', ' ');
    const startMs = Math.min(stretchMs, Math.max(words.at(-1)?.startMs ?? 0, (timestamps[i] ?? 0) * 1000));
    const last = words.at(-1);
    if (!last || said.startsWith(' ')) words.push({ text: said.trim(), startMs });
    else last.text += said;
  });
  const whole = words.filter((word) => word.text.trim() !== '');
  if (whole.map((word) => word.text).join(' ') !== text) return undefined;
  return whole.map((word, i) => ({ ...word, endMs: whole[i + 1]?.startMs ?? stretchMs }));
}
