import type { SttWord } from '../../stt/contract.ts';
import type { Token } from './token-messages.ts';

const WORDS_MAX = 1_000;

/** What tokens say together. */
export interface HeardTokens {
  readonly text: string;
  readonly confidence: number; // 0..1, 0 of nothing
  readonly words: readonly SttWord[];
  readonly language?: string; // of most letters
}

/** Words are pieces that follow one another without a space. */
export function heardTokens(tokens: readonly Token[], fromMs: number): HeardTokens {
  const text = textOf(tokens);
  const language = languageOf(tokens);
  const mean = tokens.reduce((sum, { confidence }) => sum + confidence, 0) / tokens.length;
  return {
    ...{ text, words: wordsOf(tokens, fromMs), confidence: text === '' ? 0 : Math.min(1, mean) },
    ...(language !== undefined && { language }),
  };
}

export function textOf(tokens: readonly Token[]): string {
  return tokens
    .map(({ text }) => text)
    .join('')
    .replace(/\s+/g, ' ')
    .trim();
}

function wordsOf(tokens: readonly Token[], fromMs: number): readonly SttWord[] {
  const words: { text: string; startMs: number; endMs: number }[] = [];
  let isOpen = false; // the last word may go on
  for (const { text, startMs, endMs } of tokens) {
    const begins = Math.max(words.at(-1)?.endMs ?? fromMs, startMs ?? 0);
    const ends = Math.max(begins, endMs ?? 0);
    const piece = text.trim();
    const last = words.at(-1);
    if (last && isOpen && !/^\s/.test(text)) {
      last.text += piece;
      last.endMs = ends;
    } else if (piece !== '' && words.length < WORDS_MAX) words.push({ text: piece, startMs: begins, endMs: ends });
    isOpen = words.length > 0 && !/\s$/.test(text);
  }
  return words;
}

function languageOf(tokens: readonly Token[]): string | undefined {
  const letters = new Map<string, number>();
  for (const { language, text } of tokens)
    if (language !== undefined) letters.set(language, (letters.get(language) ?? 0) + text.trim().length);
  return [...letters].sort(([, a], [, b]) => b - a)[0]?.[0];
}
