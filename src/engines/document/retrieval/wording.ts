import { LINE } from '../document-lines.ts';
import { cellsOf } from '../extract/csv.ts';
import type { Blocks, Sentence } from './blocks.ts';
import { folded } from './quotes.ts';

const MAX_ANSWER_CHARS = 600;

/** A sentence and the block it stands in. */
export interface Place {
  readonly block: number;
  readonly sentence: Sentence;
}

/**
 * The answer in the document's own words: the sentence, or the lines of a list as far as they fit. What only marks a
 * line (list signs, markdown, keys, the question of an FAQ row) falls away.
 */
export function wording(blocks: Blocks, places: readonly Place[]): string {
  let out = '';
  for (const { block, sentence } of places) {
    const text = blocks.lines.text.slice(sentence.start, sentence.end);
    const part = blocks.is(block, LINE.row) ? rowWording(text) : recordName(blocks, block, text) + plain(text);
    const next = out === '' ? part : `${out}${/[:：]$/.test(out) ? ' ' : '; '}${part}`;
    if (next.length > MAX_ANSWER_CHARS && out !== '') break;
    out = next;
  }
  return out;
}

const KEYED = /^\s*"([^"]{1,80})"\s*:\s*(.*?),?\s*$/s;

/** A value of a JSON record says little without the record's name. */
function recordName(blocks: Blocks, block: number, text: string): string {
  const parent = blocks.parent(block);
  if (!KEYED.test(text) || parent < 0 || !blocks.is(parent, LINE.label)) return '';
  const name = KEYED.exec(blocks.text(parent))?.[2];
  return name === undefined ? '' : `${unquoted(name)}, `;
}

/** In a sheet of questions and answers, the answer. */
function rowWording(text: string): string {
  const asked = /[?؟]"?\s*([,;\t|])/.exec(text);
  if (!asked) return plain(text);
  const cells = cellsOf(text.slice(asked.index + asked[0].length), asked[1]!);
  return folded(cells.reduce((longest, cell) => (cell.length > longest.length ? cell : longest), ''));
}

function plain(text: string): string {
  const keyed = KEYED.exec(text);
  if (keyed) {
    const value = unquoted(keyed[2]!);
    return folded(/\s/.test(value) ? value : `${keyed[1]!.replace(/_/g, ' ')}: ${value}`);
  }
  return folded(
    text
      .replace(/^\s*(?:[-*+•●▪◦○–‣·]|#{1,6})\s+/, '')
      .replace(/^\s*(?:A|Answer|ج|الجواب|الإجابة)\s?[\d٠-٩]{0,3}\s?[:.)-]\s*/, '')
      .replace(/\*\*([^*]+)\*\*/g, '$1')
      .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
      .replace(/^\||\|$/g, ''),
  );
}

function unquoted(value: string): string {
  return value.replace(/^"|"$/g, '');
}
