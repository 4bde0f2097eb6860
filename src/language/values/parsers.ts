import type { SlotType } from '../../core/agent.ts';
import { parseChoice } from './choice.ts';
import { parseDate } from './date.ts';
import { parseDigits } from './digits.ts';
import { parseName } from './name.ts';
import { parseNumber } from './number.ts';
import { parsePhone } from './phone.ts';
import type { SlotParser } from './slot.ts';
import { parseText } from './text.ts';
import { parseTime } from './time.ts';
import { parseYesNo } from './yesno.ts';

export const SLOT_PARSERS: Readonly<Record<SlotType, SlotParser>> = {
  text: parseText,
  name: parseName,
  date: parseDate,
  time: parseTime,
  number: parseNumber,
  digits: parseDigits,
  phone: parsePhone,
  yesno: parseYesNo,
  choice: parseChoice,
};

/** Types are read from one sentence in this order, each from the words the earlier ones left. */
export const READING_ORDER: readonly SlotType[] = [
  'date',
  'time',
  'phone',
  'digits',
  'choice',
  'name',
  'number',
  'yesno',
  'text',
];
