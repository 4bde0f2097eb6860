import { pattern } from '../../../language/pattern.ts';
import { bare, type GlyphWord } from './pdf-glyphs.ts';

const ARABIC_WORD = /[\u0621-\u065f\u0670-\u06d3]+/g;
const MAX_SAMPLED_LINES = 5_000;

/** What only a turned lam-alef makes: `االستالم`, `لالستفسار`, `باالتفاق`, `إال`. No Arabic word begins so. */
const TURNED = /^(?:[وفبك]?اال|[وف]?لال[^\u0627]|[وف]?إال$|أال$)/;
const STRAIGHT = /^(?:[وفبك]?الا|[وف]?للا|[وف]?إلا$|ألا$)/;

/** Whether the text of a PDF has its lam-alef ligatures turned round: the impossible spelling occurs, the right one does not. */
export function suspectWords(lines: readonly string[]): boolean {
  let turned = 0;
  let straight = 0;
  for (const line of lines.slice(0, MAX_SAMPLED_LINES)) {
    for (const [word] of line.matchAll(ARABIC_WORD)) {
      const folded = word.replace(/(?<=ا)[أإآ]/g, 'ا').replace(/ل[أإآ]/g, 'لا');
      if (TURNED.test(folded) || /^[وف]?ال$/.test(word)) turned += 1;
      else if (STRAIGHT.test(folded) || /^[وف]?لا$/.test(word)) straight += 1;
    }
  }
  return turned > straight * 4;
}

/**
 * Puts turned lam-alefs right. Where a word's glyphs are known they decide; elsewhere only what cannot be read
 * otherwise is changed, and words that are known to hold lam-alef.
 */
export function repairWords(lines: readonly string[], words: readonly GlyphWord[]): string[] {
  const spellings = new Map<string, string[]>(); // reversed -> the right words in drawing order
  for (const { reversed, right } of words) {
    const list = spellings.get(reversed);
    if (list) list.push(right);
    else spellings.set(reversed, [right]);
  }
  const used = new Map<string, number>();
  return lines.map((line) => {
    // Drawing order is from the left: the last word of a line of Arabic was drawn first.
    const places = [...line.matchAll(ARABIC_WORD)].reverse();
    let out = line;
    for (const place of places) {
      const word = place[0];
      const right = rightSpelling(word, spellings, used);
      if (right === word) continue;
      out = out.slice(0, place.index) + right + out.slice(place.index + word.length);
    }
    return out;
  });
}

function rightSpelling(word: string, spellings: ReadonlyMap<string, string[]>, used: Map<string, number>): string {
  const key = bare(word);
  const known = spellings.get(key);
  if (known) {
    const at = used.get(key) ?? 0;
    used.set(key, at + 1);
    const right = known[Math.min(at, known.length - 1)]!;
    return key === word ? right : withMarks(word, right);
  }
  return guess(word);
}

/** The letters of `right` with the marks of `word`: both have as many letters. */
function withMarks(word: string, right: string): string {
  let at = 0;
  let out = '';
  for (const char of word) {
    if (bare(char) === '') out += char;
    else {
      out += right[at] ?? '';
      at += 1;
    }
  }
  return out + right.slice(at);
}

const ALEF = '[اأإآ]';
const BEGINNINGS: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`^([وفبك]?ا)(${ALEF})ل`), '$1ل$2'], // االستالم
  [new RegExp(`^([وف]?ل)(${ALEF})ل(?=[^اأإآ])`), '$1ل$2'], // لالستفسار
  [/^([وف]?)(إ)ال$/, '$1$2لا'],
  [/^([وفأ]?)ال$/, '$1لا'], // a lone article
  [/^([وف]?)ال(?=[يتن]\p{L}{2})(?=[يتن](?:مكن|جوز|سمح|حق|شمل|قبل|تم|وجد|زيد|قل|تجاوز|لزم|عتبر|ستحق))/u, '$1لا'],
];
/** Parts of common words that hold lam-alef, as they look when it is turned. None is a word of its own that way. */
const TURNED_PARTS = pattern('g')`
  خالل|ستالم|عالج|عالن|صالحية|مالحظ|عمالء|وكالء|زمالء|غالف|بالغات|إخالء|جالء|بالد(?!ي)|كالم|اعتالل|احتالل|استقالل|اختالف|مواصالت|معامالت|
  تعديالت|حاالت|رحالت|سجالت|عطالت|تسهيالت|مؤهالت|محالت|وصالت|حمالت|عموالت|كفاالت|رياال|إيصاال
`;

function guess(word: string): string {
  for (const [pattern, straight] of BEGINNINGS) {
    if (!pattern.test(word)) continue;
    const rest = word.replace(pattern, straight);
    return rest.replace(TURNED_PARTS, (part) => part.replace(/([اأإآ])ل/, 'ل$1'));
  }
  return word.replace(TURNED_PARTS, (part) => part.replace(/([اأإآ])ل/, 'ل$1'));
}

/** Marks that extraction parted from their letters, and spaces inside numbers with their sign. */
export function repairMarks(text: string): string {
  return text
    .replace(/[ \u00a0]+(?=[\u064b-\u0652])/g, '')
    .replace(/([\u0627])([\u064b])(?=\s|$)/g, '$1$2')
    .replace(/(?<=[\d٠-٩]) (?=[%٪](?:\s|$|[.،,]))/g, '');
}
