/**
 * A language model of up to three words from sentences: which word comes after which two, by what people say. Kneser and Ney's
 * counts ("Improved backing-off for m-gram language modeling", 1995) with one discount, in ARPA's text form that decoders read.
 */

/** Of every count, for what was never said. */
const DISCOUNT = 0.7;
const BEGIN = '<s>';
const END = '</s>';
const DECIMALS = 4;

type Counts = Map<string, number>;
/** Probabilities of runs of words, and what is left for others after the words that such runs begin with. */
interface Level {
  readonly probabilities: Counts;
  readonly leftOver: Counts;
}

/**
 * @param sentences - their words. One that is not of `vocabulary` may be anything: nothing is learnt across it.
 * @param vocabulary - all that can be heard, said in a sentence or not; at least one word.
 */
export function languageModelOf(sentences: readonly (readonly string[])[], vocabulary: ReadonlySet<string>): string {
  const { pairs, triples } = counted(sentences, vocabulary);
  const afterTwo = withoutFirst(triples);
  for (const [pair, times] of pairs) if (pair.startsWith(`${BEGIN} `)) afterTwo.set(pair, times); // nothing comes before it
  const ones = oneWord(withoutFirst(pairs), [...vocabulary, END]);
  const lastWord = (run: string): number => ones.get(run.slice(run.lastIndexOf(' ') + 1)) ?? 0;
  const two = level(afterTwo, lastWord);
  const three = level(triples, (triple) => two.probabilities.get(rest(triple)) ?? 0); // who said three said the last two
  const left = ({ leftOver }: Level, run: string): string => log(leftOver.get(run) ?? 1);
  const sections = [
    [`-99 ${BEGIN} ${left(two, BEGIN)}`, ...[...ones].map(([word, p]) => `${log(p)} ${word} ${left(two, word)}`)],
    inOrder(two.probabilities).map(([pair, p]) => `${log(p)} ${pair} ${left(three, pair)}`),
    inOrder(three.probabilities).map(([triple, p]) => `${log(p)} ${triple}`),
  ].filter((section) => section.length > 0);
  return [
    '\\data\\',
    ...sections.map((section, n) => `ngram ${n + 1}=${section.length}`),
    ...sections.flatMap((section, n) => ['', `\\${n + 1}-grams:`, ...section]),
    ...['', '\\end\\', ''],
  ].join('\n');
}

function counted(sentences: readonly (readonly string[])[], vocabulary: ReadonlySet<string>) {
  const pairs: Counts = new Map();
  const triples: Counts = new Map();
  for (const words of sentences) {
    const line = [BEGIN, ...words.map((word) => (vocabulary.has(word) ? word : undefined)), END];
    for (let at = 1; at < line.length; at += 1) {
      const [third, second, first] = [line[at], line[at - 1], line[at - 2]];
      if (third === undefined || second === undefined) continue;
      add(pairs, `${second} ${third}`);
      if (first !== undefined) add(triples, `${first} ${second} ${third}`);
    }
  }
  return { pairs, triples };
}

/** After how many different words a run was said. */
function withoutFirst(runs: Counts): Counts {
  const found: Counts = new Map();
  for (const run of runs.keys()) add(found, rest(run));
  return found;
}

/** A little for every word, and more for those that were said in many places. */
function oneWord(places: Counts, words: readonly string[]): Counts {
  const total = Math.max(1, sum(places.values()));
  const spread = places.size === 0 ? 1 : (DISCOUNT * places.size) / total;
  return new Map(
    words.map((word) => [word, Math.max((places.get(word) ?? 0) - DISCOUNT, 0) / total + spread / words.length]),
  );
}

/** @param lower - how likely the last word of a run is after fewer words. */
function level(counts: Counts, lower: (run: string) => number): Level {
  const totals: Counts = new Map();
  const kinds: Counts = new Map();
  for (const [run, times] of counts) {
    add(totals, beginning(run), times);
    add(kinds, beginning(run));
  }
  const leftOver = new Map([...totals].map(([words, total]) => [words, (DISCOUNT * (kinds.get(words) ?? 0)) / total]));
  const probabilities = new Map(
    [...counts].map(([run, times]) => {
      const words = beginning(run);
      const own = (times - DISCOUNT) / (totals.get(words) ?? 1);
      return [run, own + (leftOver.get(words) ?? 0) * lower(run)];
    }),
  );
  return { probabilities, leftOver };
}

const beginning = (run: string): string => run.slice(0, run.lastIndexOf(' '));
const rest = (run: string): string => run.slice(run.indexOf(' ') + 1);
const log = (p: number): string => Math.log10(p).toFixed(DECIMALS);
/** Readers look runs up by halves. */
const inOrder = (counts: Counts) => [...counts].sort(([a], [b]) => (a < b ? -1 : 1));

function add(counts: Counts, key: string, times = 1): void {
  counts.set(key, (counts.get(key) ?? 0) + times);
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
