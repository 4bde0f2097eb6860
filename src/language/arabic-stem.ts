const ARABIC_PREFIXES = ['وبال', 'وكال', 'وال', 'بال', 'كال', 'فال', 'ولل', 'لل', 'ال'];
const PRONOUNS = ['هما', 'كما', 'ها', 'هم', 'هن', 'كم', 'نا'];
const PLURALS = ['تين', 'تان', 'ات', 'ون', 'ين', 'ان', 'ت'];
const ARABIC_SUFFIXES = [...PLURALS.slice(0, -1), 'يه', 'ته', 'وا', 'ه', 'ي', 'ك', 'ا', 'ت'];

/** Article with what is attached to it, and the commonest endings; longest first, at least two letters stay. */
export function arabicStem(folded: string): string {
  const out = withoutPrefix(folded);
  const bare = withoutSuffix(out, PRONOUNS);
  return withoutSuffix(bare, bare === out ? ARABIC_SUFFIXES : PLURALS);
}

export function withoutPrefix(folded: string): string {
  const found = ARABIC_PREFIXES.find((one) => folded.startsWith(one) && folded.length - one.length >= 2);
  return found === undefined ? folded : folded.slice(found.length);
}

function withoutSuffix(word: string, suffixes: readonly string[]): string {
  const found = suffixes.find((one) => word.endsWith(one) && word.length - one.length >= (one.length === 1 ? 3 : 2));
  return found === undefined ? word : word.slice(0, -found.length);
}

/** Patterns of derived words whose captured letters are the root. */
const PATTERNS: readonly RegExp[] = [
  /^ت(.)(.)ي(.)$/, // توزيع
  /^ا(.)(.)ا(.)$/, // اشراف، اسعار
  /^م(.)(.)و(.)$/, // مكتوب
  /^[ايتنم]ست(.)(.)ا?(.)$/, // استبدال، يستبدل، مستبدل
  /^[ايتنم](.)ت(.)ا?(.)$/, // اشتراك، يشترك، مشترك
  /^[ايتنم]ن(.)(.)ا(.)$/,
  /^[يتنم]ت(.)(.)(.)$/, // يتعلم، متعلم
  /^(.)و?ا(.)ي?(.)$/, // طالب، فواتير
  /^(.)(.)[اوي](.)$/, // رسوم، كتاب
  /^م(.)ا?(.)ي?(.)$/, // مدرسه، مواعيد
  /^ا(.)(.)(.)$/, // اجهزه
  /^(.)(.)(.)$/,
];

/** What may be the root of a stem: three letters, none of them an alef. */
export function rootsOf(word: string): string[] {
  return PATTERNS.map((pattern) => pattern.exec(word)?.slice(1).join('') ?? '').filter(
    (root) => root.length === 3 && !/ا/.test(root),
  );
}
