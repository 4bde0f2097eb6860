/** Reads Arabic number words back, whatever their gender and case: the inverse that the tests hold the speaker against. */
const UNITS: Readonly<Record<string, number>> = Object.fromEntries(
  (
    [
      ['صفر', 0],
      ['واحد واحدة أحد إحدى', 1],
      ['اثنان اثنين اثنتان اثنتين اثنا اثني اثنتا اثنتي', 2],
      ['ثلاثة ثلاث', 3],
      ['أربعة أربع', 4],
      ['خمسة خمس', 5],
      ['ستة ست', 6],
      ['سبعة سبع', 7],
      ['ثمانية ثمان ثماني', 8],
      ['تسعة تسع', 9],
      ['عشر عشرة', 10],
      ['عشرون عشرين', 20],
      ['ثلاثون ثلاثين', 30],
      ['أربعون أربعين', 40],
      ['خمسون خمسين', 50],
      ['ستون ستين', 60],
      ['سبعون سبعين', 70],
      ['ثمانون ثمانين', 80],
      ['تسعون تسعين', 90],
      ['مئة', 100],
      ['مئتان مئتين مئتا مئتي', 200],
      ['ثلاثمئة', 300],
      ['أربعمئة', 400],
      ['خمسمئة', 500],
      ['ستمئة', 600],
      ['سبعمئة', 700],
      ['ثمانمئة', 800],
      ['تسعمئة', 900],
    ] as const
  ).flatMap(([words, value]) => words.split(' ').map((word) => [word, value])),
);
const SCALES: readonly (readonly [RegExp, number])[] = [
  [/^(?:ألف|آلاف)/, 1e3],
  [/^(?:مليون|ملايين)/, 1e6],
  [/^مليار/, 1e9],
  [/^تريليون/, 1e12],
];
const DUAL = /^(?:ألف|مليون|مليار|تريليون)(?:ان|ين|ا|ي)$/;

/** The value of number words; NaN when a word is none. */
export function arabicValue(words: string): number {
  let total = 0;
  let group = 0;
  for (const written of words.split(' ')) {
    const word = written.startsWith('و') && UNITS[written] === undefined ? written.slice(1) : written;
    const unit = UNITS[word];
    const scale = SCALES.find(([pattern]) => pattern.test(word))?.[1];
    if (unit !== undefined) group += unit;
    else if (scale === undefined) return Number.NaN;
    else {
      total += scale * (DUAL.test(word) && group === 0 ? 2 : group || 1);
      group = 0;
    }
  }
  return total + group;
}
