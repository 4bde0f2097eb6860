import { pattern } from '../../../language/pattern.ts';

/** What a line of plain text looks like. All patterns look at the first `LOOKED_AT` characters and are linear. */

const LOOKED_AT = 300;
const MAX_HEADING_CHARS = 72;
const MAX_HEADING_WORDS = 10;

const ITEM = /^(?:[-*+•●▪◦○–‣·]|\(?(?:\d{1,3}|[٠-٩]{1,3})[.)-]|\(?[a-zA-Z][.)]|[أ-ي][.)-])\s+\S/;
const ASKED = /^(?:q(?:uestion)?\s?\d{0,3}\s?[:.)-]|(?:س|سؤال|السؤال)\s?[\d٠-٩]{0,3}\s?[:.)-])\s*\S/i;
const ANSWERED = /^(?:a(?:nswer)?\s?\d{0,3}\s?[:.-]|(?:ج|جواب|الجواب|الإجابة)\s?[\d٠-٩]{0,3}\s?[:.)-])\s*\S/i;
const CLAUSE =
  /^(?:article|section|clause|chapter|part|appendix|annex|المادة|البند|الفصل|الباب|القسم|الملحق)\s+(?:\(?[\d٠-٩ivx]{1,4}\)?|[\p{L}]{3,12})/iu;

export function isItem(line: string): boolean {
  return ITEM.test(line.slice(0, 24));
}

/** A line that is one question and nothing else: `Q: ...`, or one sentence that ends in a question mark. */
export function isQuestionLine(line: string): boolean {
  if (line.length > LOOKED_AT) return false;
  const bare = line.replace(/[*_#"”»)\s]+$/, '');
  if (ASKED.test(line)) return !/[.!]\s+\S/.test(line.slice(6));
  if (!/[?؟]$/.test(bare)) return false;
  return !/[.!؟?]\s+\S/.test(bare.slice(0, -1).replace(/^\W{0,3}[\d٠-٩]{1,3}[.)-]\s/, ''));
}

export function isAnswerLine(line: string): boolean {
  return ANSWERED.test(line.slice(0, 24));
}

/** Could stand above other lines: short, no sentence, no value. */
export function looksLikeHeading(line: string): boolean {
  if (line.length > MAX_HEADING_CHARS || isQuestionLine(line) || isAnswerLine(line)) return false;
  if (CLAUSE.test(line) && !/[.؟?!،,;]$/.test(line)) return true;
  if (/[.!?؟،,;؛]$/.test(line) || /\S\s*[:：]\s*\S/.test(line) || /[\d٠-٩]{3}|@|\t/.test(line)) return false;
  if (/^[-*+•●▪◦○–‣·]\s/.test(line)) return false;
  return line.split(/\s+/).length <= MAX_HEADING_WORDS && /\p{L}{2}/u.test(line);
}

const ORDINAL = pattern()`
  ^(?:[أا]ولا|ثانيا|ثالثا|رابعا|خامسا|سادسا|سابعا|ثامنا|تاسعا|عاشرا|[أا]ول[اً]+|ثاني[اً]+|ثالث[اً]+|رابع[اً]+|خامس[اً]+|سادس[اً]+|
  سابع[اً]+|ثامن[اً]+|تاسع[اً]+|عاشر[اً]+)\s*[:：-]\s*\S
`;

/** A line in capitals, or `ثالثًا: الدفع`: a heading wherever it stands. */
export function isTitleLine(line: string): boolean {
  if (line.length > MAX_HEADING_CHARS || /[.!?؟،,;؛]$/.test(line) || isItem(line)) return false;
  if (ORDINAL.test(line)) return line.split(/\s+/).length <= MAX_HEADING_WORDS;
  return /\p{Lu}{3}/u.test(line) && !/\p{Ll}|[\u0621-\u064a]|[:：]\s*\S|[\d٠-٩]{3}|@|\t/u.test(line);
}

/** 1 for a title in capitals, 2 for chapters, 3 for numbered clauses, 4 for the rest. */
export function headingLevel(line: string): number {
  if (/^(?:chapter|part|الفصل|الباب|القسم)\s/i.test(line)) return 2;
  if (CLAUSE.test(line)) return 3;
  const number = /^([\d٠-٩]{1,2}(?:\.[\d٠-٩]{1,2}){0,3})[.)-]?\s/.exec(line)?.[1];
  if (number) return 3 + number.split('.').length - 1;
  return /[a-z\u0621-\u064a]/.test(line) ? 4 : 2;
}

/**
 * The width at which the lines of a text were cut, or undefined where each line is a paragraph. Many lines must end
 * just below it.
 */
export function wrapWidth(lengths: readonly number[]): number | undefined {
  const filled = lengths.filter((length) => length > 0).sort((a, b) => a - b);
  if (filled.length < 4) return undefined;
  const width = filled[Math.floor(filled.length * 0.95)]!;
  if (width < 40 || width > 160) return undefined;
  const near = filled.filter((length) => length >= width * 0.82).length;
  return near >= filled.length * 0.3 ? width : undefined;
}

/** Whether the sentence of `line` goes on in `next`, where lines are cut at about `width` characters. */
export function goesOn(line: string, next: string, width: number): boolean {
  if (line.length < width * 0.72 || /[.!?؟:：]["”»)]?$/.test(line)) return false;
  if (isItem(next) || isAnswerLine(next) || /^[#|]/.test(next)) return false;
  if (/^\p{Ll}/u.test(next)) return true;
  // A new sentence may begin in the middle of a line as well; only a line that is clearly full is taken to go on.
  return line.length + next.split(/\s/, 1)[0]!.length + 1 >= width * 0.9;
}
