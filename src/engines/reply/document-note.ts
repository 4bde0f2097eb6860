import type { DocumentNote } from '../../core/turn-details.ts';
import type { Passage } from '../document/contract.ts';

/** What the record of a turn keeps of a passage. */
export function documentNote({ document, name, page, score, quote }: Passage, said: boolean): DocumentNote {
  return { id: document, name, page, score: Math.round(score * 100) / 100, quote, said };
}
