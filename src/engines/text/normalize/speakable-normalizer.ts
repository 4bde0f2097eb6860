import type { Language } from '../../../core/agent.ts';
import { detectLanguage } from '../../../language/detect-language.ts';
import type { Normalized, TextNormalizer } from '../contract.ts';
import { ARABIC_WORDS } from '../lexicon/abbreviations.ts';
import { speakArabic } from './arabic-speaker.ts';
import { classifyAt } from './classify.ts';
import { composeEdits, type Edit } from './edits.ts';
import { speakEnglish } from './english-speaker.ts';
import { type FoldedText, foldText } from './folded-text.ts';
import { withOwnPronunciations } from './own-pronunciations.ts';
import { isDigit, isLetter, Scan } from './scan.ts';
import { DEFAULT_STYLE, type SpeechStyle } from './speech-style.ts';

/** Whole words that are replaced wherever they stand. */
const ARABIC_ABBREVIATION = new RegExp(
  `(?<![\\u0620-\\u0652])(?:${[...ARABIC_WORDS.keys()].join('|')})(?![\\u0620-\\u0652])`,
);
/** Output is normalised again until nothing changes; one extra pass is the rule, this the bound. */
const PASSES_MAX = 4;

/**
 * Text as it will be spoken: numbers, money, dates, abbreviations, Latin words in Arabic text as words. Classifies from left
 * to right with a few words of context, then verbalises in Arabic or English. Never throws; work is linear in the length of
 * the text, no digit is left, and normalising the result again changes nothing.
 */
export class SpeakableNormalizer implements TextNormalizer {
  readonly style: SpeechStyle;

  constructor(options: Partial<SpeechStyle> = {}) {
    this.style = { ...DEFAULT_STYLE, ...options };
  }

  normalize(text: string, language?: Language): Normalized {
    const spoken = language ?? detectLanguage(text);
    const folded = foldText(text);
    const own = withOwnPronunciations(folded.text, spoken);
    let { output, edits } = this.#pass(own?.output ?? folded.text, spoken);
    if (own !== undefined) edits = composeEdits(own.edits, own.output, edits);
    for (let pass = 1; pass < PASSES_MAX && !isSettled(output); pass += 1) {
      const clean = foldText(output).text;
      const again = this.#pass(clean, spoken);
      if (again.output === output) break;
      // Where cleaning moved characters the places no longer match, and the edits stay those of the passes before.
      if (clean === output) edits = composeEdits(edits, output, again.edits);
      output = again.output;
    }
    return { original: text, normalized: output, language: spoken, replacements: replacementsOf(edits, text, folded) };
  }

  /** One walk over folded text: what is not a token is copied. */
  #pass(text: string, language: Language): Pass {
    const scan = new Scan(text, language);
    const edits: Edit[] = [];
    let output = '';
    let copied = 0;
    let at = 0;
    let last = 0; // code of the last character written
    while (at < text.length) {
      const step = classifyAt(scan, at);
      if (typeof step === 'number') {
        at = step;
        continue;
      }
      const spoken = language === 'ar' ? speakArabic(step, scan, this.style) : speakEnglish(step, scan, this.style);
      if (step.start > copied) {
        output += text.slice(copied, step.start);
        last = text.charCodeAt(step.start - 1);
      }
      const words = withPrefix(step.prefix, spoken.to);
      const before = isWord(last) && isLetter(words.charCodeAt(0)) ? ' ' : '';
      // و is written together with the next word.
      const after =
        words !== 'و' && isWord(words.charCodeAt(words.length - 1)) && isLetter(text.charCodeAt(spoken.end)) ? ' ' : '';
      const to = before === '' && after === '' ? words : before + words + after;
      edits.push({ start: step.start, end: spoken.end, outputStart: output.length, to });
      output += to;
      if (to !== '') last = to.charCodeAt(to.length - 1);
      copied = spoken.end;
      at = spoken.end;
    }
    if (edits.length === 0) return { output: text, edits };
    return { output: output + text.slice(copied), edits };
  }
}

/** Arabic words alone, none of them an abbreviation: nothing that another pass could find. */
function isSettled(text: string): boolean {
  return ARABIC_WORDS_ALONE.test(text) && !ARABIC_ABBREVIATION.test(text);
}

const ARABIC_WORDS_ALONE = /^(?! )(?:[\u0621-\u063a\u0641-\u0652،؛؟!-]+(?: |$))*$/;

interface Pass {
  readonly output: string;
  readonly edits: readonly Edit[];
}

/** ل before the article is written لل. */
function withPrefix(prefix: string | undefined, words: string): string {
  if (prefix === undefined) return words;
  return prefix.endsWith('ل') && !prefix.endsWith('ال') && words.startsWith('ال')
    ? `${prefix}${words.slice(1)}`
    : prefix + words;
}

function isWord(code: number): boolean {
  return isLetter(code) || isDigit(code);
}

/** The edits in the caller's spelling. Two that share a character of the original (parts of ⅓) are one. */
function replacementsOf(edits: readonly Edit[], original: string, folded: FoldedText): Normalized['replacements'] {
  const found: { from: string; to: string }[] = [];
  const add = (from: number, until: number, words: string): void => {
    const written = original.slice(from, until);
    if (written !== words && written !== '') found.push({ from: written, to: words });
  };
  let open = { from: 0, until: 0 };
  let to = '';
  for (const edit of edits) {
    if (edit.end <= edit.start) continue;
    const source = folded.source(edit.start, edit.end);
    if (source.from < open.until) {
      open = { from: open.from, until: Math.max(open.until, source.until) };
      to = `${to} ${edit.to.trim()}`;
    } else {
      add(open.from, open.until, to);
      open = source;
      to = edit.to.trim();
    }
  }
  add(open.from, open.until, to);
  return found;
}

/** The normaliser of the service; options choose where the language leaves a choice. */
export function createNormalizer(options: Partial<SpeechStyle> = {}): TextNormalizer {
  return new SpeakableNormalizer(options);
}
