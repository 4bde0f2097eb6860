/** What a step may not do beside gateways that do not know it, found in its SQL without comments and texts. */
export interface MigrationRule {
  readonly name: string;
  readonly pattern: RegExp;
  /** Allowed on tables (and columns) that the same file makes. */
  readonly unlessNew?: boolean;
}

const TABLE = '(?:TABLE|VIEW|SEQUENCE|TYPE|DOMAIN|FUNCTION|SCHEMA|TRIGGER|MATERIALIZED VIEW)';
/** To the next column of the statement. */
const REST = String.raw`(?:(?!,\s*ADD\b|\bDEFAULT\b|\bGENERATED\b).)*`;
const NO_DEFAULT = String.raw`(?!(?:(?!,\s*ADD\b).)*\bDEFAULT\b)`;
const ALTER = String.raw`ALTER TABLE (?:IF EXISTS |ONLY )*(?<table>\w+)`;

/** One statement each. Dropping an index or a constraint takes nothing from anybody; a wider constraint comes in the place of a dropped one. */
export const EXPAND_FORBIDS: readonly MigrationRule[] = [
  { name: 'drops what older gateways use', pattern: new RegExp(`^DROP ${TABLE}\\b`, 'i') },
  {
    name: 'drops a column',
    pattern: new RegExp(`${ALTER}.*\\bDROP (?:COLUMN\\b|(?!CONSTRAINT\\b|DEFAULT\\b|NOT NULL\\b|COLUMN\\b)\\w+)`, 'i'),
  },
  { name: 'renames', pattern: /^ALTER .*\bRENAME\b/i },
  { name: 'moves to another schema', pattern: /^ALTER .*\bSET SCHEMA\b/i },
  {
    name: 'wants a value that older gateways do not write',
    pattern: new RegExp(`${ALTER}.*\\bSET NOT NULL\\b`, 'i'),
    unlessNew: true,
  },
  {
    name: 'adds a column that wants a value and has no default',
    pattern: new RegExp(
      `${ALTER}.*\\bADD (?:COLUMN )?(?:IF NOT EXISTS )?\\w+ (?!CONSTRAINT)${REST}\\bNOT NULL\\b${NO_DEFAULT}`,
      'i',
    ),
    unlessNew: true,
  },
  {
    name: 'changes a type',
    pattern: new RegExp(`${ALTER}.*\\bALTER (?:COLUMN )?\\w+ (?:SET DATA )?TYPE\\b`, 'i'),
    unlessNew: true,
  },
  { name: 'takes a default away', pattern: new RegExp(`${ALTER}.*\\bDROP DEFAULT\\b`, 'i'), unlessNew: true },
  {
    name: 'adds a constraint',
    pattern: new RegExp(`${ALTER}.*\\bADD (?:CONSTRAINT|CHECK|UNIQUE|PRIMARY KEY|FOREIGN KEY|EXCLUDE)\\b`, 'i'),
    unlessNew: true,
  },
  {
    name: 'adds a column that is checked',
    pattern: new RegExp(`${ALTER}.*\\bADD COLUMN .*\\bUNIQUE\\b`, 'i'),
    unlessNew: true,
  },
  {
    name: 'makes what is there unique',
    pattern: /^CREATE UNIQUE INDEX .*\bON (?:ONLY )?(?<table>\w+)/i,
    unlessNew: true,
  },
  {
    name: 'has a trigger judge what older gateways write',
    pattern: /^CREATE (?:CONSTRAINT )?TRIGGER .*\bON (?<table>\w+)/i,
    unlessNew: true,
  },
  { name: 'takes rights away', pattern: /^REVOKE\b/i },
  { name: 'removes rows', pattern: /^(?:DELETE FROM|TRUNCATE)\b/i },
  {
    name: 'locks a table for as long as an index takes',
    pattern: /^CREATE (?:UNIQUE )?INDEX (?!CONCURRENTLY).*\bON (?:ONLY )?(?<table>\w+)/i,
    unlessNew: true,
  },
];

/** Statements of one line each; comments, texts and bodies of functions are gone. */
export function statementsOf(sql: string): readonly string[] {
  const bare = sql
    .replaceAll(/(\$\w*\$)[\s\S]*?\1/g, `''`)
    .replaceAll(/\/\*[\s\S]*?\*\//g, ' ')
    .replaceAll(/'(?:[^']|'')*'|--[^\n]*/g, (found) => (found.startsWith('--') ? ' ' : `''`));
  return bare
    .split(';')
    .map((statement) => statement.replaceAll(/\s+/g, ' ').trim())
    .filter((statement) => statement !== '');
}

/** @param sql - of an `expand` step. `-- safe NAME: why` in it vouches for the statements that name NAME. */
export function expandFaults(sql: string): readonly string[] {
  const statements = statementsOf(sql);
  const made = new Set(statements.map((statement) => /^CREATE TABLE (?:IF NOT EXISTS )?(\w+)/i.exec(statement)?.[1]));
  const safe = [...sql.matchAll(/^-- safe (\w+): \S.*$/gm)].map(([, name]) => new RegExp(`\\b${name}\\b`));
  return statements
    .filter((statement) => !safe.some((name) => name.test(statement)))
    .flatMap((statement) =>
      EXPAND_FORBIDS.filter(({ pattern, unlessNew }) => {
        const found = pattern.exec(statement);
        return found !== null && !(unlessNew && made.has(found.groups?.['table']));
      }).map(({ name }) => `${name}: ${statement.slice(0, 100)}`),
    );
}
