import { isCardRange, passesLuhn } from '../../../language/check-digits.ts';
import type { Kind } from './kinds.ts';
import type { Label } from './labels.ts';

/** Digits in question and how they stand in the text. */
export interface Candidate {
  readonly digits: string;
  /** A `+` stands before them. */
  readonly plus: boolean;
  /** Grouped as `(555) 123-4567` or `555-123-4567`. */
  readonly americanGroups: boolean;
  /** Said in words. */
  readonly spoken: boolean;
}

/** How a kind of number is recognised: by itself (`bare`), by words near it (`labels`), or not at all. */
export interface NumberRule {
  readonly kind: Kind;
  readonly labels: readonly Label[];
  readonly digitsMin: number;
  readonly digitsMax: number;
  /** Shape and check digits that speak for themselves: the score without a label. */
  readonly bare?: { readonly test: (candidate: Candidate) => boolean; readonly score: number };
  /** Shape that is enough beside a label; any number of digits in the range when absent. */
  readonly shape?: (candidate: Candidate) => boolean;
  /** A wrong neighbour (money, year) does not matter: check digits decided. */
  readonly strong?: true;
  /** How far from the label, characters; the context distance when absent. */
  readonly reachChars?: number;
}

/** Numbers of companies and services, which anybody may call: 9200 xxxxx, 800 xxx xxxx, with or without country code. */
const COMPANY_PHONE = /^(?:(?:00)?966|0)?(?:92[0-9]{7}|800[0-9]{7})$/;
const MOBILE = /^(?:05[0-9]{8}|(?:00)?966(?:0)?5[0-9]{8})$/;
const LANDLINE = /^(?:01[1-7][0-9]{7}|(?:00)?966(?:0)?1[1-7][0-9]{7})$/;
/** Country codes of neighbours written with 00. */
const NEIGHBOUR = /^00(?:971|965|973|974|968|962|20|91|92|63|44|1)[0-9]{7,10}$/;

function isPhone({ digits, plus, americanGroups, spoken }: Candidate): boolean {
  if (COMPANY_PHONE.test(digits)) return false;
  if (spoken && /^5[0345689][0-9]{7}$/.test(digits)) return true; // the zero is left out in speech
  if (MOBILE.test(digits) || LANDLINE.test(digits) || NEIGHBOUR.test(digits)) return true;
  return (plus && digits.length >= 8 && digits.length <= 15) || (americanGroups && digits.length === 10);
}

/** A phone of this country that is somebody's own, as it is dialled. */
export const isPersonalPhone = (digits: string): boolean =>
  !COMPANY_PHONE.test(digits) && (MOBILE.test(digits) || LANDLINE.test(digits));

/** Beside the word phone: anything one could dial, but for service numbers. */
function isDialable({ digits }: Candidate): boolean {
  return !COMPANY_PHONE.test(digits) && !/^19[0-9]{5}$/.test(digits) && !/^3[0-9]{13}3$/.test(digits);
}

/** A policy of 2024-2025 is no number of one. */
function isNoSpanOfYears({ digits }: Candidate): boolean {
  return !/^(?:(?:19|20)[0-9]{2}){2}$/.test(digits);
}

export const NUMBER_RULES: readonly NumberRule[] = [
  {
    kind: 'National ID',
    labels: ['id', 'iqama', 'licence'],
    digitsMin: 10,
    digitsMax: 10,
    bare: { test: ({ digits }) => digits.startsWith('1') && passesLuhn(digits), score: 0.9 },
    shape: ({ digits }) => digits.startsWith('1'),
    strong: true,
  },
  {
    kind: 'Iqama',
    labels: ['iqama', 'id', 'licence'],
    digitsMin: 10,
    digitsMax: 10,
    bare: { test: ({ digits }) => digits.startsWith('2') && passesLuhn(digits), score: 0.9 },
    shape: ({ digits }) => digits.startsWith('2'),
    strong: true,
  },
  {
    kind: 'Border Number',
    labels: ['border', 'id'],
    digitsMin: 10,
    digitsMax: 10,
    shape: ({ digits }) => /^[3-6]/.test(digits),
  },
  { kind: 'National ID', labels: ['id'], digitsMin: 9, digitsMax: 11, reachChars: 14 },
  { kind: 'Iqama', labels: ['iqama'], digitsMin: 9, digitsMax: 11, reachChars: 14 },
  {
    kind: 'National ID', // of the Emirates: 784, the year of birth, seven digits and one more
    labels: ['id'],
    digitsMin: 15,
    digitsMax: 15,
    bare: { test: ({ digits }) => /^784(?:19|20)/.test(digits), score: 0.85 },
  },
  { kind: 'Driving Licence', labels: ['licence'], digitsMin: 7, digitsMax: 12 },
  { kind: 'Policy Number', labels: ['policy'], digitsMin: 5, digitsMax: 16, shape: isNoSpanOfYears },
  {
    kind: 'Card Number',
    labels: ['card'],
    digitsMin: 13,
    digitsMax: 19,
    bare: { test: ({ digits }) => isCardRange(digits) && passesLuhn(digits), score: 0.9 },
    strong: true,
  },
  {
    kind: 'Phone Number',
    labels: ['phone'],
    digitsMin: 7,
    digitsMax: 15,
    bare: { test: isPhone, score: 0.85 },
    shape: isDialable,
  },
  {
    kind: 'VAT Number',
    labels: ['vat'],
    digitsMin: 15,
    digitsMax: 15,
    bare: { test: ({ digits }) => /^3[0-9]{13}3$/.test(digits), score: 0.8 },
  },
  { kind: 'VAT Number', labels: ['vat'], digitsMin: 9, digitsMax: 15 },
  {
    kind: 'Commercial Registration',
    labels: ['registration'],
    digitsMin: 7,
    digitsMax: 10,
    shape: ({ digits }) => /^[1-7]/.test(digits),
  },
  { kind: 'Bank Account', labels: ['account'], digitsMin: 6, digitsMax: 24 },
  { kind: 'IBAN', labels: ['iban'], digitsMin: 18, digitsMax: 24 },
  { kind: 'Medical Record Number', labels: ['record'], digitsMin: 4, digitsMax: 12 },
  { kind: 'Employee ID', labels: ['employee'], digitsMin: 3, digitsMax: 10 },
  { kind: 'Passport', labels: ['passport'], digitsMin: 6, digitsMax: 9 },
  { kind: 'Credential', labels: ['security'], digitsMin: 3, digitsMax: 4 },
  { kind: 'Credential', labels: ['pin'], digitsMin: 3, digitsMax: 8, reachChars: 30 },
  { kind: 'Credential', labels: ['code', 'password'], digitsMin: 4, digitsMax: 8, reachChars: 30 },
];

/** Labels whose numbers are always read out of the nearest one: a value belongs to the label before it. */
export const LABELLED: ReadonlySet<Label> = new Set(NUMBER_RULES.flatMap((rule) => rule.labels));
