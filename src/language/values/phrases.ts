import { fold } from '../fold.ts';

/** Phrases parted by `|`, folded into words, the longest first. */
export function phrases(list: string): string[][] {
  return list
    .split('|')
    .map((phrase) => fold(phrase).split(' '))
    .sort((a, b) => b.length - a.length);
}
