import { partOf } from '../../../language/pattern.ts';

/** A stretch of canonical text that is a date, a time, money or a decimal: its digits are no part of an identifier. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
  readonly type: 'date' | 'time' | 'money' | 'percent' | 'quantity';
}

const DATE =
  /(?<![0-9])(?:[0-9]{4}([/.-])[0-9]{1,2}\1[0-9]{1,2}|[0-9]{1,2}([/.-])[0-9]{1,2}\2(?:[0-9]{4}|[0-9]{2}))(?![0-9])/g;
const TIME = /(?<![0-9])[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?(?![0-9])/g;
const AMOUNT = '[0-9]{1,12}(?:,[0-9]{3}){0,4}(?:\\.[0-9]{1,3})?';
const CURRENCY = partOf`
  ريالات|ريالا|ريال|ر\.? ?س\.?|sar|s\.?r\.?|riyals?|halalas?|هلله|هللات|دولار|درهم|دينار|يورو|جنيه|usd|dollars?|aed|dirhams?|kwd|bhd|eur|
  euros?|gbp|pounds?|egp|[$€£⃁]
`;
const SCALE = '(?: ?(?:الف|الاف|مليون|ملايين|مليار|thousand|million|billion|k|m)(?![a-z0-9\u0620-\u06ff]))?';
const MONEY_AFTER = new RegExp(`(?<![0-9.,])${AMOUNT}${SCALE} {0,2}(?:${CURRENCY})(?![a-z\u0620-\u06ff])`, 'g');
const MONEY_BEFORE = new RegExp(`(?<![a-z\u0620-\u06ff])(?:${CURRENCY}) {0,2}${AMOUNT}${SCALE}(?![0-9])`, 'g');
const PERCENT = /(?<![0-9])[0-9]{1,3}(?:\.[0-9]{1,4})? ?[%٪]/g;

/** `1,200`, `1,998,200.00`: separators of thousands. */
const QUANTITY = /(?<![0-9.,])[0-9]{1,3}(?:,[0-9]{3}){1,4}(?:\.[0-9]{1,3})?(?![0-9]|,[0-9])/g;

/** How many stretches are looked at on either side of a place: more do not fit in its context. */
const NEIGHBOURS_MAX = 8;

/** Dates, times, money and percentages of a canonical text in lower case. */
export class Figures {
  /** By position; they may overlap. */
  readonly #stretches: readonly Stretch[];

  constructor(lower: string) {
    this.#stretches = /[0-9]/.test(lower) ? stretchesOf(lower) : [];
  }

  /** Those that overlap the characters from `start` to `end`, by position. */
  over(start: number, end: number): Stretch[] {
    const over: Stretch[] = [];
    const before = this.#countBefore(end);
    // Stretches are short: one that reaches beyond `start` is among the last few that begin before `end`.
    for (let at = Math.max(0, before - NEIGHBOURS_MAX); at < before; at += 1) {
      const stretch = this.#stretches[at]!;
      if (stretch.end > start && stretch.start < end) over.push(stretch);
    }
    return over;
  }

  isBlocked(start: number, end: number): boolean {
    return this.over(start, end).length > 0;
  }

  /** The amount of money nearest to `from` that begins between `from` and `to`, with those that overlap it. */
  firstMoney(from: number, to: number): Stretch | undefined {
    for (let at = this.#countBefore(from); at < this.#stretches.length; at += 1) {
      const stretch = this.#stretches[at]!;
      if (stretch.start > to) return undefined;
      if (stretch.type === 'money') return this.#widened(stretch);
    }
    return undefined;
  }

  /** The amount of money nearest to `to` that lies between `from` and `to`. */
  lastMoney(from: number, to: number): Stretch | undefined {
    const before = this.#countBefore(to);
    for (let at = before - 1; at >= 0 && at >= before - NEIGHBOURS_MAX; at -= 1) {
      const stretch = this.#stretches[at]!;
      if (stretch.type === 'money' && stretch.start >= from && stretch.end <= to) return this.#widened(stretch);
    }
    return undefined;
  }

  /** `SAR 9,000` and `9,000 ريال` may share their number. */
  #widened(money: Stretch): Stretch {
    let { start, end } = money;
    for (const other of this.over(money.start, money.end)) {
      if (other.type !== 'money') continue;
      start = Math.min(start, other.start);
      end = Math.max(end, other.end);
    }
    return { start, end, type: 'money' };
  }

  /** How many stretches begin before a character. */
  #countBefore(index: number): number {
    let low = 0;
    let high = this.#stretches.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#stretches[middle]!.start < index) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function stretchesOf(lower: string): Stretch[] {
  const found: Stretch[] = [];
  const collect = (pattern: RegExp, type: Stretch['type']): void => {
    for (const match of lower.matchAll(pattern)) {
      if (type === 'date' && !isDate(match[0])) continue;
      found.push({ start: match.index, end: match.index + match[0].length, type });
    }
  };
  collect(DATE, 'date');
  collect(TIME, 'time');
  collect(MONEY_AFTER, 'money');
  collect(MONEY_BEFORE, 'money');
  collect(PERCENT, 'percent');
  collect(QUANTITY, 'quantity');
  return found.sort((left, right) => left.start - right.start);
}

/** A day and a month, in either order, beside a year. */
export function isDate(text: string): boolean {
  const [first = 0, second = 0, third = 0] = text.split(/[/.-]/).map(Number);
  const days = first > 31 ? [second, third] : [first, second];
  return Math.max(...days) <= 31 && Math.min(...days) <= 12 && Math.min(...days) >= 1;
}
