import { foldedSet } from '../../../language/fold-word.ts';
import { listsOf } from '../../../language/lists.ts';

const list = listsOf('engines/text/redact/data/place-words.tsv');

/** Parts of an address. */
export const MARKERS = foldedSet(...list('markers'));
/** These alone make a place somebody's: finer than a city. */
export const FINE = foldedSet(
  'شارع حي مبنى عمارة شقة فيلا فلة بناية street road avenue building apartment flat villa district block house st rd',
);
export const CITIES = foldedSet(...list('cities'));
/** The address is over: the sentence goes on with something else. */
export const STOPS = foldedSet(...list('stops'));
