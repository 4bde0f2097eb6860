/** How a word that no dictionary has may be spoken, each as phones, the likeliest first; none when it cannot be a spoken word. */
export type LetterToSound = (word: string) => readonly string[];

/** The 39 phones of the CMU set, as the acoustic model knows them. */
export const PHONES: readonly string[] =
  'AA AE AH AO AW AY B CH D DH EH ER EY F G HH IH IY JH K L M N NG OW OY P R S SH T TH UH UW V W Y Z ZH'.split(' ');

/** How letters are named, for words without a vowel (`dhl`) and for spelling. */
export const LETTER_NAMES: Readonly<Record<string, string>> = {
  a: 'EY', b: 'B IY', c: 'S IY', d: 'D IY', e: 'IY', f: 'EH F', g: 'JH IY', h: 'EY CH', i: 'AY', j: 'JH EY', k: 'K EY', l: 'EH L', m: 'EH M',
  n: 'EH N', o: 'OW', p: 'P IY', q: 'K Y UW', r: 'AA R', s: 'EH S', t: 'T IY', u: 'Y UW', v: 'V IY', w: 'D AH B AH L Y UW', x: 'EH K S',
  y: 'W AY', z: 'Z IY',
}; // biome-ignore format: a table

/**
 * Spelling rules, the longest first at every place: letters, phones, and where they hold (`^` at the start of the word, `$`
 * at its end, `.` anywhere). Meant for names and brands, Arabic ones in Latin letters among them.
 */
const RULES: readonly (readonly [letters: string, phones: string, where: '^' | '$' | '.'])[] = [
  ['tion', 'SH AH N', '$'], ['sion', 'ZH AH N', '$'], ['ough', 'AO', '.'], ['augh', 'AO', '.'], ['eigh', 'EY', '.'],
  ['igh', 'AY', '.'], ['tch', 'CH', '.'], ['dge', 'JH', '.'], ['sch', 'SH', '.'], ['que', 'K', '$'], ['air', 'EH R', '.'],
  ['ear', 'IH R', '.'], ['our', 'AW R', '.'], ['oor', 'AO R', '.'], ['all', 'AO L', '$'], ['ing', 'IH NG', '$'], ['kn', 'N', '^'],
  ['wr', 'R', '^'], ['ps', 'S', '^'], ['gn', 'N', '^'], ['ch', 'CH', '.'], ['sh', 'SH', '.'], ['th', 'TH', '.'], ['ph', 'F', '.'],
  ['wh', 'W', '.'], ['gh', 'G', '.'], ['kh', 'K', '.'], ['dh', 'D', '.'], ['ck', 'K', '.'], ['ng', 'NG', '$'], ['nk', 'NG K', '.'],
  ['qu', 'K W', '.'], ['ee', 'IY', '.'], ['ea', 'IY', '.'], ['oo', 'UW', '.'], ['ou', 'AW', '.'], ['ow', 'OW', '$'], ['ow', 'AW', '.'],
  ['oi', 'OY', '.'], ['oy', 'OY', '.'], ['ai', 'EY', '.'], ['ay', 'EY', '.'], ['ei', 'EY', '.'], ['ey', 'IY', '$'], ['ie', 'IY', '.'],
  ['au', 'AO', '.'], ['aw', 'AO', '.'], ['aa', 'AA', '.'], ['ue', 'UW', '$'], ['ew', 'UW', '.'], ['oa', 'OW', '.'], ['ar', 'AA R', '.'],
  ['er', 'ER', '.'], ['ir', 'ER', '.'], ['or', 'AO R', '.'], ['ur', 'ER', '.'], ['al', 'AA L', '^'], ['ss', 'S', '.'], ['ll', 'L', '.'],
  ['tt', 'T', '.'], ['ff', 'F', '.'], ['zz', 'Z', '.'], ['pp', 'P', '.'], ['bb', 'B', '.'], ['dd', 'D', '.'], ['gg', 'G', '.'],
  ['mm', 'M', '.'], ['nn', 'N', '.'], ['rr', 'R', '.'], ['cc', 'K', '.'], ['ce', 'S EH', '.'], ['ci', 'S IH', '.'], ['cy', 'S IY', '.'],
  ['a', 'AH', '$'], ['a', 'AE', '.'], ['b', 'B', '.'], ['c', 'K', '.'], ['d', 'D', '.'], ['e', '', '$'], ['e', 'EH', '.'], ['f', 'F', '.'],
  ['g', 'G', '.'], ['h', '', '$'], ['h', 'HH', '.'], ['i', 'IY', '$'], ['i', 'IH', '.'], ['j', 'JH', '.'], ['k', 'K', '.'], ['l', 'L', '.'],
  ['m', 'M', '.'], ['n', 'N', '.'], ['o', 'OW', '$'], ['o', 'AA', '.'], ['p', 'P', '.'], ['q', 'K', '.'], ['r', 'R', '.'], ['s', 'S', '.'],
  ['t', 'T', '.'], ['u', 'UW', '$'], ['u', 'AH', '.'], ['v', 'V', '.'], ['w', 'W', '.'], ['x', 'K S', '.'], ['y', 'Y', '^'],
  ['y', 'IY', '$'], ['y', 'IH', '.'], ['z', 'Z', '.'],
]; // biome-ignore format: a table

/** Words up to this length without a vowel are read letter by letter. */
const INITIALISM_MAX = 6;
const WORD_MAX = 24;
/** A silent final e makes the vowel before the last consonant say its name: `nadine`, `kate`. */
const LONG: Readonly<Record<string, string>> = { a: 'EY', i: 'AY', o: 'OW', u: 'UW' };

/**
 * How the same letters are meant where they write another language: one vowel a letter, `q` as the Saudi dialects say it. Who reads
 * `majed` says MAJ-ed, who knows one says MAA-jid.
 */
const FOREIGN: Readonly<Record<string, string>> = {
  a: 'AA', e: 'EH', i: 'IY', o: 'OW', u: 'UW', y: 'IY', ai: 'AY', ay: 'AY', ou: 'UW', au: 'AW', aw: 'AW', er: 'EH R', ir: 'IY R', ur: 'UW R',
  q: 'G', dh: 'DH', ci: 'S IY',
}; // biome-ignore format: a table
/** Of a syllable that is not stressed. */
const REDUCED: Readonly<Record<string, string>> = { a: 'AH', e: 'IH', i: 'IH', o: 'AH', u: 'AH' };

interface Piece {
  readonly letters: string;
  readonly phones: string;
}

/** As English spells, as other languages do, and both with the last syllable's vowel reduced. @param word - of a-z and apostrophes. */
export function pronounce(word: string): readonly string[] {
  const letters = word.replaceAll("'", '');
  if (!/^[a-z]+$/.test(letters) || letters.length > WORD_MAX) return [];
  if (letters.length === 1 || (letters.length <= INITIALISM_MAX && !/[aeiouy]/.test(letters))) {
    return [[...letters].map((letter) => LETTER_NAMES[letter]).join(' ')];
  }
  const english = piecesOf(letters);
  const foreign = english.map((piece, at) =>
    at === 0 && piece.letters === 'y' ? piece : { ...piece, phones: FOREIGN[piece.letters] ?? piece.phones },
  );
  const readings = [english, foreign, reduced(foreign), reduced(english)].map(phonesOf);
  return [...new Set(readings)].filter((phones) => phones !== '');
}

function piecesOf(letters: string): readonly Piece[] {
  const pieces: Piece[] = [];
  for (let at = 0; at < letters.length; ) {
    const magic = /^([aiou])[bdfgklmnprstvz]e$/.exec(letters.slice(at))?.[1];
    const rule =
      magic !== undefined && at > 0
        ? ([magic, LONG[magic] ?? ''] as const)
        : RULES.find(
            ([text, , where]) => letters.startsWith(text, at) && holds(where, at, at + text.length, letters.length),
          );
    if (!rule) return [];
    pieces.push({ letters: rule[0], phones: rule[1] });
    at += rule[0].length;
  }
  return pieces;
}

/** With the last vowel that a consonant follows and another vowel precedes. */
function reduced(pieces: readonly Piece[]): readonly Piece[] {
  const isVowel = ({ letters }: Piece): boolean => /^[aeiouy]/.test(letters);
  const last = pieces.findLastIndex((piece, at) => at < pieces.length - 1 && REDUCED[piece.letters] !== undefined);
  if (last < 0 || !pieces.slice(0, last).some(isVowel)) return pieces;
  return pieces.map((piece, at) =>
    at === last ? { ...piece, phones: REDUCED[piece.letters] ?? piece.phones } : piece,
  );
}

const phonesOf = (pieces: readonly Piece[]): string =>
  pieces
    .map(({ phones }) => phones)
    .filter((phones) => phones !== '')
    .join(' ');

function holds(where: '^' | '$' | '.', start: number, end: number, length: number): boolean {
  return where === '.' || (where === '^' ? start === 0 : end === length);
}
