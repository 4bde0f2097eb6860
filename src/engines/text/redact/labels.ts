import { listsOf } from '../../../language/lists.ts';
import { PhraseIndex } from './phrase-index.ts';

const list = listsOf('engines/text/redact/data/labels.tsv');

/**
 * What the words around a value say it is. `order` are the things that have numbers and concern nobody;
 * `person` says that a statement is about somebody, `general` that it is about nobody.
 */
const LABELS = [
  'id',
  'iqama',
  'border',
  'passport',
  'licence',
  'policy',
  'phone',
  'card',
  'security',
  'pin',
  'code',
  'password',
  'key',
  'account',
  'iban',
  'registration',
  'vat',
  'record',
  'employee',
  'plate',
  'vehicle',
  'birth',
  'salary',
  'balance',
  'credit',
  'address',
  'shortAddress',
  'residence',
  'network',
  'order',
  'person',
  'general',
] as const;
export type Label = (typeof LABELS)[number];

/** Whether what stands behind is a code, of digits mostly: one that is sent, or one that somebody knows by heart. */
export const isCode = (label: Label): boolean => label === 'code' || label === 'pin';

export const LABEL_INDEX = new PhraseIndex<Label>('bare');
for (const label of LABELS) LABEL_INDEX.add(list(label), label);
