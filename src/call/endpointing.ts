import { DETERMINERS, saidAlike } from '../core/said-alike.ts';
import type { ReplyExpectation } from '../engines/reply/contract.ts';
import type { ConversationSettings } from './conversation-settings.ts';
import { foldWords } from './folded-words.ts';
import { OPEN_ENDINGS, POLITE_ENDINGS, QUESTION_WORDS, SHORT_ANSWERS } from './sentence-ends.ts';
import type { SoundsLike } from './turn-end-watch.ts';

type Delays = Pick<ConversationSettings, 'endpointingMinMs' | 'endpointingMs' | 'endpointingMaxMs'>;

/** A number that may be so long has no length that is expected: where it ends cannot be known. */
const KNOWN_LENGTH_MAX = 12;
/** What a breath inside a sentence takes more than a pause after it, for most. */
const UNHEARD_MS = 140;

/**
 * How long is waited, by what the words say and what the sound says. Words that plainly go on are believed before a sound that is over:
 * the sound knows nothing of numbers. Words that are complete and sound unfinished are given the time of those that may be.
 */
const BY_SOUND = {
  complete: { complete: 'shortest', incomplete: 'middle' },
  unclear: { complete: 'shortest', incomplete: 'longest' },
  open: { complete: 'words', incomplete: 'longest' },
} as const satisfies Record<string, Record<SoundsLike, string>>;

const foldedSet = (lists: Readonly<Record<string, readonly string[]>>): ReadonlySet<string> =>
  new Set(Object.values(lists).flatMap((list) => list.map((each) => foldWords(each).join(' '))));
const OPEN = foldedSet(OPEN_ENDINGS);
const ASKS = foldedSet(QUESTION_WORDS);
const POLITE = foldedSet(POLITE_ENDINGS);
const SHORT = foldedSet(SHORT_ANSWERS);
/** Words of the longest entry of these lists. */
const ENDING_WORDS_MAX = 3;

/** How long a pause must last before the caller's turn counts as over, by what was said and what may be said now. */
export class Endpointing {
  /** What may be said, and how it may begin; made when it is needed first. */
  #sentences: { readonly whole: ReadonlySet<string>; readonly begun: ReadonlySet<string> } | undefined;

  constructor(
    private readonly expectation: ReplyExpectation,
    private readonly delays: Delays,
  ) {}

  /**
   * @param text - what was recognised of the turn so far.
   * @param guess - words behind it that were heard and not settled; they count where a sentence that may be said now begins so.
   * @param soundsLike - what a model finds of its sound, where one is asked.
   * @returns milliseconds of silence: `endpointingMinMs` where it is complete, `endpointingMaxMs` where it plainly goes on.
   */
  delayMs(text: string, guess = '', soundsLike?: SoundsLike): number {
    if (this.#begins(foldWords(guess))) return this.delayMs(`${text} ${guess}`.trim(), '', soundsLike);
    const { words, ms } = this.#byWords(text);
    if (!soundsLike) return ms;
    const { endpointingMinMs, endpointingMaxMs } = this.delays;
    return { shortest: endpointingMinMs, middle: this.#middleMs, longest: endpointingMaxMs, words: ms }[
      BY_SOUND[words][soundsLike]
    ];
  }

  get #middleMs(): number {
    return Math.max(this.delays.endpointingMinMs, this.delays.endpointingMs);
  }

  #byWords(text: string): { readonly words: keyof typeof BY_SOUND; readonly ms: number } {
    const { endpointingMinMs, endpointingMaxMs } = this.delays;
    const endpointingMs = this.#middleMs;
    const complete = { words: 'complete', ms: endpointingMinMs } as const;
    const unclear = { words: 'unclear', ms: endpointingMs } as const;
    const open = { words: 'open', ms: endpointingMaxMs } as const;
    const half = { words: 'open', ms: Math.max(endpointingMs, endpointingMaxMs / 2) } as const;
    const words = foldWords(text);
    const { minDigits = 0, maxDigits } = this.expectation.collect;
    const lengthKnown = this.#expectsNumber && maxDigits > 1 && maxDigits <= KNOWN_LENGTH_MAX;
    // Nothing was recognised: a little longer, since only the silence tells, and longer where it may have been half a number.
    if (words.length === 0) return lengthKnown ? half : { ...unclear, ms: endpointingMs + UNHEARD_MS };
    const digits = trailingDigits(text);
    if (digits > 0 && this.#expectsNumber && digits < minDigits) return open;
    if (digits > 0 && lengthKnown && minDigits > 0 && minDigits < maxDigits && digits < maxDigits) return half;
    if (digits > 0 && lengthKnown) return digits >= maxDigits ? complete : open;
    // People pause between groups of digits; half a number is worse than a moment's wait.
    if (digits > 0 && this.#expectsNumber) return half;
    if (this.#isComplete(words)) return complete;
    if (endsIn(words, OPEN) > 0) return open;
    if (this.#isBegun(words)) return ASKS.has(words.at(-1)!) ? open : half;
    return /[.!?؟]\s*$/.test(text) ? complete : unclear;
  }

  get #expectsNumber(): boolean {
    return this.expectation.hints.expect.some((kind) => kind === 'digits' || kind === 'phone');
  }

  #isComplete(words: readonly string[]): boolean {
    if (this.expectation.hints.expect.includes('yesno') && SHORT.has(words.join(' '))) return true;
    const polite = endsIn(words, POLITE);
    const said = polite > 0 && polite < words.length ? words.slice(0, -polite) : words;
    return this.#endsWhole(saidAlike(said));
  }

  /**
   * A sentence that may be said now begins like all of this and goes on. It may be meant whole too: `cancel`, `where is it`. The end of a
   * longer one says nothing: what ends in `where are they` is as whole as any.
   */
  #isBegun(words: readonly string[]): boolean {
    return this.#known.begun.has(saidAlike(words).join(' '));
  }

  #begins(words: readonly string[]): boolean {
    const said = DETERMINERS.has(words.at(-1) ?? '') ? words.slice(0, -1) : words; // `cancel the`
    if (said.length === 0) return false;
    return this.#known.begun.has(saidAlike(said).join(' ')) || said.every((word) => OPEN.has(word)); // `I want to`
  }

  /** All of it, or its last two words and more: "hello where is my order". */
  #endsWhole(words: readonly string[]): boolean {
    for (let from = 0; from === 0 || from <= words.length - 2; from += 1) {
      if (this.#known.whole.has(words.slice(from).join(' '))) return true;
    }
    return false;
  }

  get #known() {
    if (this.#sentences) return this.#sentences;
    const whole = new Set<string>();
    const begun = new Set<string>();
    for (const phrase of this.expectation.hints.phrases) {
      const words = saidAlike(foldWords(phrase));
      whole.add(words.join(' '));
      for (let count = 1; count < words.length; count += 1) begun.add(words.slice(0, count).join(' '));
    }
    this.#sentences = { whole, begun };
    return this.#sentences;
  }
}

/** @returns how many of the last words are an entry of `list`. */
function endsIn(words: readonly string[], list: ReadonlySet<string>): number {
  for (let count = Math.min(ENDING_WORDS_MAX, words.length); count > 0; count -= 1) {
    if (list.has(words.slice(-count).join(' '))) return count;
  }
  return 0;
}

function trailingDigits(text: string): number {
  return /[\d\s-]*$/.exec(text.trim())?.[0].replace(/\D/g, '').length ?? 0;
}
