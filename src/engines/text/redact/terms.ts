import { listsOf } from '../../../language/lists.ts';
import { pattern } from '../../../language/pattern.ts';
import { complaintAt, extended, illnessAt, medicineAt } from './complaints.ts';
import { PhraseIndex, type PhraseMatch } from './phrase-index.ts';
import type { Found, LabelMatch, Reading } from './reading.ts';
import { TERM_ROWS, type TermRow } from './term-tables.ts';

const list = listsOf('engines/text/redact/data/terms.tsv');

const TERMS = new PhraseIndex<TermRow>('plain');
for (const row of TERM_ROWS) TERMS.add(row.phrases, row);

/** What makes a statement general, this near before the word: `حملة توعية عن السكري`. */
const GENERAL_CHARS = 25;
const CONNECTORS = new Set('is the of a an هو هي ال من في ب with for to عن'.split(' '));
const AFTER_STOPS = new Set(
  (
    'and but so please و وانا وابغي لكن شكرا i my because لان since until منذ when he she ما وما ولا لا back ' +
    'فنرجو نرجو فهل هل فيرجي يرجي ثم بعدها واهله واهلها وعائلته وولد وولدت ويسكن ويعيش وعاش وجدتي وجدي وامي ' +
    'وابوي وامه وامها وابوه وابوها واخوه واخوها وخوالي وخواله وزوجتي وزوجته وزوجها ويعمل some'
  ).split(' '),
);
/** Marks of secrecy that stand alone in capitals or brackets: `(سري)`, `SECRET//`. */
const MARKING =
  /(?:^|\n)[ \t]*[([]?(?:secret|confidential|restricted|سري|سري للغايه|مقيد|محظور)[)\]]?[ \t]*(?:$|\n|[-:/|])/g;
const CLASSED = pattern('g')`
  (?:classification|classified|security level|تصنيف الوثيقه|تصنيف المستند|مستوي التصنيف|درجه السريه|التصنيف|تصنيف|
  درجه التصنيف) ?[:=-] ?(?:top secret|secret|confidential|restricted|سري للغايه|سريه|سري|مقيده|مقيد|محظور)(?![a-z\u0620-\u06ff])
`;

/** Without one of these no mark is there. */
const SECRECY = /secret|confidential|restricted|سري|مقيد|محظور/;

/** Words of sensitive data in a sentence about somebody, and marks of secrecy. */
export function findTerms(reading: Reading): Found[] {
  const found: Found[] = [];
  const { tokens } = reading;
  let at = 0;
  let listed = -1; // the last token of the term before, when it was taken
  while (at < tokens.length) {
    const match = tokens[at]!.type === 'word' ? termAt(reading, at) : undefined;
    if (match === undefined) {
      at += 1;
      continue;
    }
    const last = lastToken(reading, match);
    if (applies(reading, match) || (match.meaning.when === 'person' && isListed(reading, listed, match.first))) {
      listed = last;
      found.push(reading.found(match.meaning.kind, tokens[at]!.start + match.prefix, tokens[last]!.end, 0.7));
    }
    at = match.last + 1;
  }
  found.push(...findMarkings(reading));
  return found;
}

/** `migraine and anxiety`: a list goes on. */
function isListed(reading: Reading, last: number, first: number): boolean {
  if (last < 0 || first - last > 2 || reading.tokens[first]!.sentence !== reading.tokens[last]!.sentence) return false;
  const { tokens } = reading;
  const gap = reading.lower.slice(tokens[last]!.end, tokens[first]!.start);
  return /^ ?[,/+&و] ?$|^ ?,? ?(?:and|or|with|مع) $|^ $/.test(gap);
}

const COMPLAINT: TermRow = { kind: 'Health', when: 'person', phrases: [] };

/** A phrase of the tables, or a complaint or medicine said in parts, whichever is longer. */
function termAt(reading: Reading, at: number): PhraseMatch<TermRow> | undefined {
  const listed = TERMS.at(reading.tokens, reading.forms, at);
  if (listed !== undefined && listed.meaning.kind !== 'Health') return listed;
  if (listed?.meaning.when === 'never') return listed;
  const last = complaintAt(reading, at) ?? illnessAt(reading, at) ?? medicineAt(reading, at);
  if (last === undefined || last <= (listed?.last ?? -1)) return listed;
  return listed === undefined ? { first: at, last, meaning: COMPLAINT, prefix: 0 } : { ...listed, last };
}

function applies(reading: Reading, match: PhraseMatch<TermRow>): boolean {
  const { kind, when } = match.meaning;
  if (when === 'never') return false;
  if (kind === 'Ethnic or Tribal Origin' && reading.tokens[match.last + 1]?.type === 'digits') return false; // من أصل ١٢
  const left = reading.labelsLeft(match.first);
  const general = left.find(({ meaning }) => meaning === 'general');
  const person = left.find(({ meaning }) => meaning === 'person');
  if (when === 'always') {
    if (kind === 'Government Secret' || kind === 'Biometric' || person !== undefined) return true;
    return general === undefined && !(kind === 'Health' && isAnnounced(reading, match));
  }
  if (general !== undefined && isNear(reading, general.last, match.first)) {
    // `مستشفى … عندي سكري`: whoever stands nearer; a patient in a clinic stays one.
    if (person === undefined) return reading.isNamed(match.first, general.first);
    if (person.last < general.last && !(kind === 'Health' && isVisited(reading, general, match.first))) return false;
  }
  if (person !== undefined || reading.isNamed(match.first) || isStated(reading, match.first, general?.last ?? -1))
    return true;
  const right = reading.labelsRight(match.last, GENERAL_CHARS);
  const nearest = right.find(({ meaning }) => meaning === 'general' || meaning === 'person' || meaning === 'record');
  return nearest !== undefined && nearest.meaning !== 'general';
}

/** `يراجع العيادة`, `in the hospital`: where somebody is, not what the statement is about. */
function isVisited(reading: Reading, general: LabelMatch, term: number): boolean {
  if (general.last + 1 >= term) return false; // `عيادة السكري`, `our clinic`
  return VISITED.test(reading.tokens[general.last]!.text);
}

const VISITED = /(?:عياده|عيادات|مستشفي|مستشفى|مركز|قسم|^hospital|^clinic|^department)$/;

/** `hypertension clinic`, `epilepsy awareness` */
function isAnnounced(reading: Reading, match: PhraseMatch<TermRow>): boolean {
  return reading.labelsRight(match.last, GENERAL_CHARS).some(({ meaning }) => meaning === 'general');
}

/** `… tested positive for`, `… is Sikh`: said of whoever the sentence begins with. */
function isStated(reading: Reading, first: number, after: number): boolean {
  for (let at = Math.max(0, after + 1, first - STATED_TOKENS); at < first; at += 1) {
    if (reading.tokens[at]!.sentence === reading.tokens[first]!.sentence && STATED.has(reading.tokens[at]!.text))
      return true;
  }
  return false;
}

const STATED_TOKENS = 4;
const STATED = new Set(list('stated'));

function isNear(reading: Reading, last: number, first: number): boolean {
  return reading.tokens[first]!.start - reading.tokens[last]!.end <= GENERAL_CHARS;
}

/** The phrase and the words that complete it. */
function lastToken(reading: Reading, match: PhraseMatch<TermRow>): number {
  const { tokens } = reading;
  let wanted = match.meaning.after ?? 0;
  let last = match.last;
  for (let at = match.last + 1; wanted > 0 && at < tokens.length && at <= match.last + 4; at += 1) {
    const token = tokens[at]!;
    if (token.sentence !== tokens[match.last]!.sentence || !/^[\s:=-]{1,3}$/.test(reading.gapBefore(at))) break;
    if (AFTER_STOPS.has(token.text)) break;
    if (!CONNECTORS.has(token.text)) {
      wanted -= 1;
      last = at;
    }
  }
  while (tokens[last + 1]?.start === tokens[last]!.end) last += 1; // BRCA1
  return match.meaning.kind === 'Health' ? extended(reading, last) : last;
}

function findMarkings(reading: Reading): Found[] {
  const found: Found[] = [];
  if (!SECRECY.test(reading.lower)) return found;
  for (const pattern of [MARKING, CLASSED]) {
    for (const match of reading.lower.matchAll(pattern)) {
      const trimmed = match[0].trim();
      const start = match.index + match[0].indexOf(trimmed);
      found.push(reading.found('Government Secret', start, start + trimmed.length, 0.9));
    }
  }
  return found;
}
