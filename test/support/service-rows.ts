import { readFileSync } from 'node:fs';

type Reasons = Readonly<Record<string, string>>;

/** A test that proves a row outside the suites of `test/conformance`. */
export interface NamedTest {
  readonly test: string;
  readonly title: string; // or its beginning
}

/** What every adapter is held to. Reasons are by adapter, or by adapter and suite (`openai.ears`). */
export interface ServiceRow {
  readonly row: string;
  readonly says: string;
  readonly suites: readonly Suite[];
  /** How far it holds, where that is not all the way. */
  readonly but?: Reasons;
  /** Why it means nothing there. */
  readonly not?: Reasons;
  readonly elsewhere?: Readonly<Record<string, NamedTest>>;
}
export interface ReplyRow {
  readonly row: string;
  readonly says: string;
  readonly tests: readonly NamedTest[];
  readonly not?: string;
  /** How far it holds. */
  readonly but?: string;
}
/** A fault of row A4, and what stand-ins call it. */
export interface FaultRow {
  readonly fault: string;
  readonly names: readonly string[];
  readonly suites?: readonly Suite[]; // all of them
  readonly not?: Reasons;
}
/** A code with which a service closes a WebSocket in the middle of a word, and what comes of it: `heard` by another connection. */
export interface ClosingRow {
  readonly code: number;
  readonly when: string;
  readonly ears?: 'heard' | 'failed' | 'away';
  readonly voices?: 'failed' | 'away';
  readonly adapters: readonly string[];
}
export type Suite = 'ears' | 'voices';

interface ServiceRows {
  readonly adapters: readonly string[];
  readonly rows: readonly ServiceRow[];
  readonly faults: readonly FaultRow[];
  readonly closings: readonly ClosingRow[];
  readonly replies: readonly ReplyRow[];
  /** Of voice activity and the end of turns. */
  readonly turns: readonly ReplyRow[];
}

export const SERVICE_ROWS = JSON.parse(
  readFileSync(new URL('../conformance/service-rows.json', import.meta.url), 'utf8'),
) as ServiceRows;

/** What an adapter's connections may be closed with. */
export const closingsOf = (adapter: string): readonly ClosingRow[] =>
  SERVICE_ROWS.closings.filter(({ adapters }) => adapters.includes(adapter));

/** Why it means nothing to these ears or this voice. */
export const reasonFor = (not: Reasons | undefined, adapter: string, suite: Suite): string | undefined =>
  not?.[`${adapter}.${suite}`] ?? not?.[adapter];

/** The tables of `src/engines/providers/README.md`: a cell says yes, or where its note stands. */
export function serviceTables(
  { adapters, rows, faults, closings, replies, turns }: ServiceRows,
  hasVoice: (adapter: string) => boolean,
): string {
  const notes: string[] = [];
  const noted = (note: string): string => {
    if (!notes.includes(note)) notes.push(note);
    return `(${notes.indexOf(note) + 1})`;
  };
  const told = (not: Reasons | undefined, but: Reasons | undefined, adapter: string): string => {
    const suites = (['ears', 'voices'] as const).filter((suite) => not?.[`${adapter}.${suite}`] !== undefined);
    if (not?.[adapter] !== undefined) return `- ${noted(not[adapter])}`;
    if (suites.length === 0) return but?.[adapter] === undefined ? 'yes' : `yes ${noted(but[adapter])}`;
    const others = (['ears', 'voices'] as const).filter(
      (suite) => !suites.includes(suite) && (suite === 'ears' || hasVoice(adapter)),
    );
    return [...others, ...suites.map((suite) => `no ${suite} ${noted(not![`${adapter}.${suite}`]!)}`)].join(', ');
  };
  const head = (title: string): string[] => [
    line([title, ...adapters.map((adapter) => `\`${adapter}\``)]),
    line(['', ...adapters].map(() => '---')),
  ];
  const proofs = (tests: readonly NamedTest[]): string =>
    tests.map(({ test, title }) => `${test.replace(/^test\/(?:engines\/)?/, '')}: "${title}"`).join('; ');
  const proved = (title: string, list: readonly ReplyRow[]): string[] => [
    ...[line(['row', title, 'test']), line(['---', '---', '---'])],
    ...list.map(({ row, says, tests, not, but }) =>
      line([row, but === undefined ? says : `${says} ${noted(but)}`, not ?? proofs(tests)]),
    ),
  ];
  const cells = [
    ...head('row'),
    ...rows.map(({ row, says, not, but }) =>
      line([`${row} ${says}`, ...adapters.map((adapter) => told(not, but, adapter))]),
    ),
    '',
    ...head('A4: what goes wrong'),
    ...faults.map(({ fault, not }) => line([fault, ...adapters.map((adapter) => told(not, undefined, adapter))])),
    '',
    ...[
      line(['closed in the middle of a word with', 'when', 'of', 'ears', 'voices']),
      line(Array.from({ length: 5 }, () => '---')),
    ],
    ...closings.map(({ code, when, ears, voices, adapters: of }) =>
      line([
        String(code),
        when,
        of.map((adapter) => `\`${adapter}\``).join(', '),
        ears ? COMES_TO[ears] : '',
        voices ? COMES_TO[voices] : '',
      ]),
    ),
    '',
    ...proved('of chat models (`openai`)', replies),
    '',
    ...proved('of voice activity and the end of turns', turns),
  ];
  return [...cells, '', ...notes.map((note, n) => `${n + 1}. ${note}.`)].join('\n');
}

const COMES_TO = {
  heard: 'another connection hears it again',
  failed: 'a failure: the next engine',
  away: 'left alone for a second: the next engine',
} as const;

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
