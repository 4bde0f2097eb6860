import { type LetterToSound, pronounce } from './letter-to-sound.ts';

/** Alternatives kept of a word of the dictionary; it has at most four. */
const PRONUNCIATIONS_MAX = 4;
const NEWLINE = 0x0a;

/**
 * Pronunciations from a CMU dictionary (`word PH PH`, further ones as `word(2) PH PH`), sorted by bytes. The text stays
 * one buffer and is searched by halves: 3 MB instead of 20 MB as a map, 20 us a word.
 */
export class Lexicon {
  /** @param dictionary - the file. @param letterToSound - how words that are not in it are spoken; those without an answer are left out. */
  constructor(
    readonly dictionary: Buffer,
    readonly letterToSound: LetterToSound = pronounce,
  ) {}

  /** @param word - lower case. @returns its pronunciations as phones set apart by blanks; none when it cannot be spoken. */
  pronunciations(word: string): readonly string[] {
    const found = this.#lookUp(word);
    return found.length > 0 ? found : this.letterToSound(word);
  }

  /** Whether the dictionary itself has the word. */
  has(word: string): boolean {
    return this.#lookUp(word).length > 0;
  }

  #lookUp(word: string): string[] {
    if (word === '' || /[\s();]/.test(word)) return [];
    const wanted = Buffer.from(word, 'latin1');
    const found: string[] = [];
    for (let at = this.#firstLineOf(wanted); at < this.dictionary.length && found.length < PRONUNCIATIONS_MAX; ) {
      const end = this.#lineEnd(at);
      const line = this.dictionary.toString('latin1', at, end).trimEnd();
      const blank = line.indexOf(' ');
      if (blank < 0 || headword(line.slice(0, blank)) !== word) break;
      found.push(line.slice(blank + 1).trim());
      at = end + 1;
    }
    return found;
  }

  /** Offset of the first line whose headword is not before `wanted`. */
  #firstLineOf(wanted: Buffer): number {
    let low = 0;
    let high = this.dictionary.length;
    while (low < high) {
      const start = this.#lineStart((low + high) >> 1);
      const end = this.#lineEnd(start);
      const line = this.dictionary.toString('latin1', start, end);
      const comment = line.startsWith(';;');
      const head = Buffer.from(headword(line.slice(0, Math.max(0, line.indexOf(' ')))), 'latin1');
      if (comment || Buffer.compare(head, wanted) < 0) low = end + 1;
      else high = start;
    }
    return low;
  }

  #lineStart(at: number): number {
    return at === 0 ? 0 : this.dictionary.lastIndexOf(NEWLINE, at - 1) + 1;
  }

  #lineEnd(at: number): number {
    const end = this.dictionary.indexOf(NEWLINE, at);
    return end < 0 ? this.dictionary.length : end;
  }
}

/** `read(2)` -> `read`. */
function headword(entry: string): string {
  return entry.endsWith(')') ? entry.slice(0, entry.lastIndexOf('(')) : entry;
}
