import type { SttHints } from '../../stt/contract.ts';

/** Such models read the last 224 tokens of a prompt: about as many characters of Arabic as fit for sure. */
const PROMPT_CHARS = 400;
const PHRASE_CHARS = 80;
const SEPARATOR = '. ';

/** What callers may say now, as text that could have come before: models then spell its words as it does. */
export function promptOf(hints: SttHints | undefined): string {
  let prompt = '';
  for (const phrase of phrasesOf(hints)) {
    const longer = prompt === '' ? phrase : prompt + SEPARATOR + phrase;
    if (longer.length > PROMPT_CHARS) break;
    prompt = longer;
  }
  return prompt;
}

/**
 * Whether a transcript is the prompt again, which models write where they hear nothing: two of its phrases in a row. One alone
 * may well have been said.
 */
export function recites(text: string, hints: SttHints | undefined): boolean {
  const said = ` ${folded(text)} `;
  const phrases = phrasesOf(hints).map(folded);
  return phrases.some((phrase, i) => {
    const next = phrases[i + 1];
    return next !== undefined && said.includes(` ${phrase} ${next} `);
  });
}

function phrasesOf(hints: SttHints | undefined): readonly string[] {
  const phrases = (hints?.phrases ?? []).map((phrase) => phrase.replace(/\s+/g, ' ').trim());
  return [...new Set(phrases)].filter((phrase) => phrase !== '' && phrase.length <= PHRASE_CHARS);
}

function folded(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
