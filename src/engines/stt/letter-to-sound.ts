/** Phones of a word that no dictionary has, or undefined when it cannot be a spoken word. */
export type LetterToSound = (word: string) => string | undefined;

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

/** Spelling rules of English; undefined for what is not written in a-z and apostrophes. */
export function pronounce(word: string): string | undefined {
  const letters = word.replaceAll("'", '');
  if (!/^[a-z]+$/.test(letters) || letters.length > WORD_MAX) return undefined;
  if (letters.length === 1 || (letters.length <= INITIALISM_MAX && !/[aeiouy]/.test(letters))) {
    return [...letters].map((letter) => LETTER_NAMES[letter]).join(' ');
  }
  const phones: string[] = [];
  for (let at = 0; at < letters.length; ) {
    const magic = /^([aiou])[bdfgklmnprstvz]e$/.exec(letters.slice(at));
    if (magic && at > 0) {
      phones.push(LONG[magic[1] ?? ''] ?? '');
      at += 1;
      continue;
    }
    const rule = RULES.find(
      ([text, , where]) => letters.startsWith(text, at) && holds(where, at, at + text.length, letters.length),
    );
    if (!rule) return undefined;
    if (rule[1] !== '') phones.push(rule[1]);
    at += rule[0].length;
  }
  return phones.length === 0 ? undefined : phones.join(' ');
}

function holds(where: '^' | '$' | '.', start: number, end: number, length: number): boolean {
  return where === '.' || (where === '^' ? start === 0 : end === length);
}
