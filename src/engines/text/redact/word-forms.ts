const MIN_STEM = 2;
const PREFIXED = /^(?:[وف](?=..))?(?:[بكفهع]ال(?=..)|لل(?=..)|ال(?=..)|[بلك](?=...))?/;

const PARTICLE = /^[وف](?:من|في|عن|هو|هي)$/;

/** A word and what it may be made of: `plain` without conjunction, preposition and article, `bare` also without possessive. */
export interface WordForms {
  readonly plain: readonly string[];
  readonly bare: readonly string[];
}

/**
 * The forms under which tables know a canonical word: وبهويتي -> وبهويتي, بهويتي, هويتي; bare also هويه.
 * English loses a plural s. At most 8 plain and 16 bare forms.
 */
export function wordForms(word: string): WordForms {
  if (word.charCodeAt(0) < 0x600) return latinForms(word);
  const plain = [word];
  const first = word.charAt(0);
  const joined = word.length > 3 || PARTICLE.test(word);
  const afterConjunction = (first === 'و' || first === 'ف') && joined ? word.slice(1) : undefined;
  if (afterConjunction !== undefined) plain.push(afterConjunction);
  const prefix = PREFIXED.exec(word)?.[0].length ?? 0;
  const stem = word.slice(prefix);
  if (prefix > 0 && stem.length >= MIN_STEM && !plain.includes(stem)) plain.push(stem);
  const whole = withoutArticle(word);
  if (whole !== undefined && !plain.includes(whole)) plain.push(whole);
  if (/^[وف]?[بل]حي$/.test(word)) plain.push('حي'); // بحي الشاطئ
  if (word.length > 4 && word.endsWith('ا')) plain.push(word.slice(0, -1)); // مسجونا
  if (/^[بكفل]ال../.test(word) && !plain.includes(word.slice(1))) plain.push(word.slice(1)); // بالتهاب
  const bare = [...plain];
  for (const form of plain)
    for (const stripped of withoutPossessive(form)) if (!bare.includes(stripped)) bare.push(stripped);
  return { plain, bare };
}

function latinForms(word: string): WordForms {
  const plain = word.length > 3 && word.endsWith('s') ? [word, word.slice(0, -1)] : [word];
  return { plain, bare: plain };
}

/** The conjunction may be the first letter of the word itself: وراثي, فصيلة. */
function withoutArticle(word: string): string | undefined {
  if (word.startsWith('ال') && word.length > 4) return word.slice(2);
  if (word.startsWith('لل') && word.length > 4) return word.slice(2);
  if (/^[بكفهع]ال../.test(word)) return word.slice(3);
  return undefined;
}

function withoutPossessive(word: string): string[] {
  const stems: string[] = [];
  const two = word.slice(-2);
  if (word.length > 4 && (two === 'ها' || two === 'هم' || two === 'كم' || two === 'نا')) stems.push(word.slice(0, -2));
  const one = word.slice(-1);
  if (word.length > 3 && (one === 'ي' || one === 'ك' || one === 'ه')) stems.push(word.slice(0, -1));
  for (const stem of [...stems]) if (stem.endsWith('ت') && stem.length > 2) stems.push(`${stem.slice(0, -1)}ه`);
  return stems;
}
