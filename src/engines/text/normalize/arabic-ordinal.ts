import type { Gender } from '../../../language/nouns.ts';
import { arabicCardinal, COUNTING } from './arabic-cardinal.ts';

const MASCULINE = ['', 'أول', 'ثاني', 'ثالث', 'رابع', 'خامس', 'سادس', 'سابع', 'ثامن', 'تاسع', 'عاشر'];
const FEMININE = ['', 'أولى', 'ثانية', 'ثالثة', 'رابعة', 'خامسة', 'سادسة', 'سابعة', 'ثامنة', 'تاسعة', 'عاشرة'];
/** Above this a rank is said as a cardinal. */
export const ORDINAL_MAX = 1000;

/**
 * The definite ordinal, 1 to 1000: الأول، الحادية عشرة، الخامس والعشرون، الخامس بعد المئة. `oblique` only shows in tens and
 * two hundred.
 */
export function arabicOrdinal(value: number, gender: Gender, oblique: boolean): string {
  const hundreds = Math.floor(value / 100) * 100;
  const rest = value % 100;
  if (hundreds === 0) return ordinalBelowHundred(rest, gender, oblique);
  const round = `ال${arabicCardinal(hundreds, { ...COUNTING, oblique: oblique || rest > 0 })}`;
  return rest === 0 ? round : `${ordinalBelowHundred(rest, gender, oblique)} بعد ${round}`;
}

function ordinalBelowHundred(value: number, gender: Gender, oblique: boolean): string {
  const units = gender === 'f' ? FEMININE : MASCULINE;
  if (value <= 10) return `ال${units[value]!}`;
  if (value < 20) return `ال${joined(value % 10, gender)} ${gender === 'f' ? 'عشرة' : 'عشر'}`;
  const tens = `ال${arabicCardinal(value - (value % 10), { ...COUNTING, oblique })}`;
  return value % 10 === 0 ? tens : `ال${joined(value % 10, gender)} و${tens}`;
}

/** In compounds the first is حادي, not أول. */
function joined(unit: number, gender: Gender): string {
  if (unit === 1) return gender === 'f' ? 'حادية' : 'حادي';
  return (gender === 'f' ? FEMININE : MASCULINE)[unit]!;
}
