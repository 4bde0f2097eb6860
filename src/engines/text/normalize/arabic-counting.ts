import type { Noun } from '../../../language/nouns.ts';
import { arabicCardinal, arabicNumber, dual } from './arabic-cardinal.ts';
import { type Numeral, smallValue } from './numeral.ts';

/** What stands after the noun: an adjective that agrees with it (masculine singular here), and words that do not change. */
export interface NounExtras {
  readonly adjective?: string;
  readonly tail?: string;
}

type Slot = 'one' | 'two' | 'few' | 'many' | 'hundred';

/**
 * A number with the noun it counts, both in the right form: ريال واحد، ريالان، ثلاثة ريالات، أحد عشر ريالاً، مئة ريال، مئتا ريال،
 * مئة ريال وريالان.
 * Decimals take the singular. `oblique` as in `NumberForm`.
 */
export function arabicCounted(written: Numeral, noun: Noun, oblique: boolean, extras: NounExtras = {}): string {
  const { fraction, ...whole } = written;
  const numeral = fraction === '00' ? whole : written; // 70.00 كجم
  const value = smallValue(numeral);
  const tail = extras.tail === undefined ? '' : ` ${extras.tail}`;
  const sign = numeral.negative === true ? 'سالب ' : '';
  if (value === undefined) {
    const number = arabicNumber(numeral, { gender: 'm', oblique, construct: false });
    return `${number} ${nounPhrase(noun, 'hundred', oblique, extras)}${tail}`;
  }
  const slot = slotOf(value);
  if (slot === 'one') {
    const one = noun.gender === 'f' ? 'واحدة' : 'واحد';
    return `${sign}${nounPhrase(noun, 'one', oblique, extras)} ${one}${tail}`;
  }
  const rest = value % 100;
  if (value > 100 && (rest === 1 || rest === 2) && noun.fixed !== true) {
    const round = arabicCardinal(value - rest, { gender: noun.gender, oblique, construct: true });
    const more = nounPhrase(noun, rest === 1 ? 'one' : 'two', oblique, extras);
    return `${sign}${round} ${nounPhrase(noun, 'hundred', oblique, extras)} و${more}${tail}`;
  }
  if (slot === 'two' && noun.fixed !== true) return `${sign}${nounPhrase(noun, 'two', oblique, extras)}${tail}`;
  const number = arabicCardinal(value, { gender: noun.gender, oblique, construct: slot !== 'two' });
  return `${sign}${number} ${nounPhrase(noun, slot === 'two' ? 'hundred' : slot, oblique, extras)}${tail}`;
}

function slotOf(value: number): Slot {
  if (value === 1) return 'one';
  if (value === 2) return 'two';
  const lastTwo = value % 100;
  if (lastTwo >= 3 && lastTwo <= 10) return 'few';
  return lastTwo > 10 ? 'many' : 'hundred';
}

/** The noun and its adjective in the form the number asks for. */
function nounPhrase(noun: Noun, slot: Slot, oblique: boolean, extras: NounExtras): string {
  const word = nounForm(noun, slot, oblique);
  if (extras.adjective === undefined) return word;
  return `${word} ${adjectiveForm(extras.adjective, noun, slot, oblique)}`;
}

export function nounForm(noun: Noun, slot: Slot, oblique: boolean): string {
  if (noun.fixed === true) return noun.singular;
  if (slot === 'few') return noun.plural;
  if (slot === 'two') return dual(noun.singular, oblique);
  return slot === 'many' ? accusative(noun.singular) : noun.singular;
}

function adjectiveForm(adjective: string, noun: Noun, slot: Slot, oblique: boolean): string {
  if (!DECLINED.test(adjective)) return adjective;
  const feminine = `${adjective}ة`;
  if (noun.fixed === true) return adjective;
  if (slot === 'few') return feminine;
  const singular = noun.gender === 'f' ? feminine : adjective;
  if (slot === 'two') return dual(singular, oblique);
  return slot === 'many' ? accusative(singular) : singular;
}

/** فهرنهايت and other borrowed words stay as they are. */
const DECLINED = /(?:ي|مربع|مكعب|كبير|صغير)$/u;
/** The tanwin of the accusative is written on an alif, but not after ة, ى, اء. */
const NO_ALIF = /(?:ة|ى|اء|ا)$/u;

export function accusative(singular: string): string {
  return NO_ALIF.test(singular) ? singular : `${singular}اً`;
}
