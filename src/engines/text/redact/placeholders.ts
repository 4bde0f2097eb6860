import { foldWord } from '../../../language/fold-word.ts';
import { KIND_NAMES, KINDS, type Kind } from './kinds.ts';

/** What a caller typed that reads like a placeholder: kept apart under this name, so that it fetches nobody's value. */
export const QUOTED = 'Quoted Text';
/** What a placeholder may stand for. */
export type PlaceholderName = Kind | typeof QUOTED;

/** What models make of the names when they translate them or shorten them, beside the Arabic of `KINDS`. */
const OTHER_NAMES: { readonly [Name in PlaceholderName]?: string } = {
  'National ID': 'الهوية الوطنية|الهوية|رقم الهوية|هوية وطنية|national id number|national identity',
  Iqama: 'الإقامة|رقم الإقامة|إقامة|iqama number|residence permit',
  Passport: 'جواز السفر|الجواز|رقم الجواز|جواز سفر|passport number',
  'Border Number': 'رقم الحدود|الرقم الحدودي|border no',
  'Driving Licence': 'رخصة القيادة|الرخصة|driving license|driver licence|driver license',
  'Policy Number':
    'رقم الوثيقة|رقم البوليصة|رقم وثيقة التأمين|البوليصة|policy no|insurance policy number|insurance number',
  'Person Name': 'الاسم|اسم|اسم الشخص|اسم العميل|name|person|full name|customer name',
  'Phone Number':
    'رقم الهاتف|رقم الجوال|الجوال|الهاتف|رقم التواصل|رقم هاتف|رقم جوال|phone|mobile number|mobile|telephone number',
  Email: 'البريد الإلكتروني|البريد|الإيميل|إيميل|بريد|email address|e mail|mail',
  'National Address': 'عنوان وطني',
  Address: 'العنوان|عنوان|home address|street address',
  'Date of Birth': 'تاريخ الميلاد|الميلاد|birth date|dob|birthdate',
  IBAN: 'الآيبان|آيبان|ايبان|iban number',
  'Bank Account': 'الحساب البنكي|رقم الحساب|رقم الحساب البنكي|حساب بنكي|account number|bank account number',
  'Card Number': 'رقم البطاقة|البطاقة|بطاقة|card|credit card|credit card number',
  Salary: 'الراتب|راتب|الدخل',
  'Financial Data': 'بيانات مالية|البيانات المالية|الرصيد',
  'Credit Data': 'البيانات الائتمانية|credit information',
  'Commercial Registration': 'السجل التجاري|رقم السجل التجاري|سجل تجاري|commercial registration number|cr number',
  'VAT Number': 'الرقم الضريبي|vat|tax number',
  'Employee ID': 'الرقم الوظيفي|رقم الموظف|employee number',
  'Vehicle Plate': 'لوحة المركبة|رقم اللوحة|اللوحة|لوحة السيارة|plate number|license plate|plate',
  'Medical Record Number': 'رقم الملف الطبي|الملف الطبي|رقم الملف|mrn',
  Health: 'الصحة|حالة صحية|الحالة الصحية|بيانات صحية|health data|health condition',
  Location: 'الموقع|موقع',
  'IP Address': 'عنوان الشبكة|عنوان آي بي|ip',
  Credential: 'رمز|الرمز|كلمة المرور|رمز التحقق|بيانات الدخول|password|code',
};

const PLACEHOLDER_NAMES: readonly PlaceholderName[] = [...KIND_NAMES, QUOTED];
const NAMES = new Map<string, PlaceholderName>();
for (const name of PLACEHOLDER_NAMES) enterName(name, name);
for (const name of PLACEHOLDER_NAMES) {
  enterName(name === QUOTED ? 'نص مقتبس' : KINDS[name].ar, name);
  for (const other of OTHER_NAMES[name]?.split('|') ?? []) enterName(other, name);
}

/** The first that claims a spelling keeps it. */
function enterName(spelling: string, name: PlaceholderName): void {
  if (!NAMES.has(nameKey(spelling))) NAMES.set(nameKey(spelling), name);
}

/** Characters between the brackets: the longest name, its number, and what a model may put around them. */
const INSIDE_CHARS_MAX = 40;
const OPEN = '[［【{';
const BRACKETED = new RegExp(`\\\\?[[［【{]([^[\\]［］【】{}\\n\\\\]{2,${INSIDE_CHARS_MAX}})\\\\?[\\]］】}]`, 'g');
const CLOSED = /[\]］】}\n]/;
/** The longest bracket with everything in it; a stream never waits for more. */
const BRACKETED_CHARS_MAX = INSIDE_CHARS_MAX + 4;
const NUMBERED = /^(.*[^0-9٠-٩۰-۹])([0-9٠-٩۰-۹]{1,4})$/u;
const INVISIBLE = /[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;

/** `[Phone Number 1]`; without a number once no more values are held. */
export function placeholder(name: PlaceholderName, number?: number): string {
  return number === undefined ? `[${name}]` : `[${name} ${number}]`;
}

/** A stretch of a text that reads as a placeholder, in whatever spelling, and the placeholder it means. */
export interface PlaceholderMatch {
  readonly start: number;
  readonly end: number;
  readonly means: string;
}

/**
 * Placeholders of a text as a model may give them back: other capitals, Arabic-Indic or Persian digits, lost or other
 * separators (`[PhoneNumber_1]`), other brackets, escaped brackets, the name in Arabic (`[رقم الجوال ١]`).
 */
export function placeholdersIn(text: string): PlaceholderMatch[] {
  const found: PlaceholderMatch[] = [];
  for (const match of text.matchAll(BRACKETED)) {
    const means = meaningOf(match[1]!);
    if (means !== undefined) found.push({ start: match.index, end: match.index + match[0].length, means });
  }
  return found;
}

function meaningOf(inside: string): string | undefined {
  const numbered = NUMBERED.exec(inside.replace(INVISIBLE, '').trim());
  if (numbered === null) return undefined;
  const name = NAMES.get(nameKey(numbered[1]!));
  return name === undefined ? undefined : placeholder(name, Number(latinDigits(numbered[2]!)));
}

/** `Phone_Number #`, `PhoneNumber`, `رقم الجوال رقم`: letters only. */
function nameKey(name: string): string {
  return foldWord(name).replace(/[^\p{L}]/gu, '');
}

function latinDigits(digits: string): string {
  return digits
    .replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
    .replace(/[۰-۹]/g, (digit) => String(digit.charCodeAt(0) - 0x6f0));
}

/** Puts values back into an answer that arrives in pieces; end() gives what was still waiting. */
export interface Restorer {
  push(chunk: string): string;
  end(): string;
}

/** Restores a stream: a piece that may end inside a placeholder waits, at most as long as a placeholder is. */
export class PlaceholderStream implements Restorer {
  readonly #restore: (text: string) => string;
  #waiting = '';

  constructor(restore: (text: string) => string) {
    this.#restore = restore;
  }

  /** The restored text that is ready, possibly empty. */
  push(chunk: string): string {
    const text = this.#waiting + chunk;
    const open = openBracket(text);
    this.#waiting = text.slice(open);
    return this.#restore(text.slice(0, open));
  }

  end(): string {
    const rest = this.#restore(this.#waiting);
    this.#waiting = '';
    return rest;
  }
}

/** Where a bracket begins that the next piece may close; the length of the text when there is none. */
function openBracket(text: string): number {
  const from = Math.max(0, text.length - BRACKETED_CHARS_MAX);
  for (let at = text.length - 1; at >= from; at -= 1) {
    const character = text.charAt(at);
    if (CLOSED.test(character)) break;
    if (OPEN.includes(character)) return text.charAt(at - 1) === '\\' ? at - 1 : at;
  }
  return text.endsWith('\\') ? text.length - 1 : text.length;
}
