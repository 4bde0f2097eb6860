import { type Shape, wordsOf } from '../../../../config/agent-text/shape.ts';
import { isTree } from '../../../../config/agent-text/yaml-document.ts';

/** What may be written at a place of a text: from where it is typed, and words with what they do. */
export interface Completion {
  readonly from: number;
  readonly isKey: boolean;
  readonly options: readonly { readonly label: string; readonly info?: string }[];
}

interface Line {
  /** Column of the first dash, -1 without one; and of what comes behind the dashes. */
  readonly dash: number;
  readonly column: number;
  readonly key: string | undefined;
  readonly rest: string;
}
/** A line that is being typed: a word, behind a key or not. */
const TYPED = /^( *(?:- )*)(?:([A-Za-z_][\w-]*): )?([\w-]*)$/;
const LINE = /^( *)((?:- )*)(?:([A-Za-z_][\w-]*):(?: +(.*))?)?/;

/** Keys that are left, or the words that a key may have, where the text is block style. Pure; the text need not be right. */
export function completionAt(text: string, offset: number, shape: Shape, definition: unknown): Completion | undefined {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const typed = TYPED.exec(text.slice(start, offset));
  if (!typed) return undefined;
  const [, lead = '', key, word = ''] = typed;
  const lines = text.split('\n').map(readLine);
  const number = text.slice(0, start).split('\n').length - 1;
  const { path, siblings } = surroundings(lines, number, lead);
  const owner = path.reduce<Shape | undefined>((at, step) => at && inner(at, step), shape);
  if (!owner) return undefined;
  const from = offset - word.length;
  if (key !== undefined) {
    const shapes = (owner.anyOf ?? [owner]).map((one) => inner(one, key));
    const words = [...new Set(shapes.flatMap(wordsOf)), ...namesFor(key, definition)];
    return words.length > 0 ? { from, isKey: false, options: words.map((label) => ({ label })) } : undefined;
  }
  const known = siblings.get('type');
  const all = owner.anyOf ?? [owner];
  const fitting = all.filter(({ properties }) => known === undefined || properties?.['type']?.const === known);
  const options = new Map<string, string | undefined>();
  for (const { properties = {} } of fitting) {
    for (const [name, { description }] of Object.entries(properties))
      if (!siblings.has(name)) options.set(name, description);
  }
  if (options.size === 0) return undefined;
  return {
    from,
    isKey: true,
    options: [...options].map(([label, info]) => ({ label, ...(info !== undefined && { info }) })),
  };
}

function readLine(text: string): Line | undefined {
  if (/^\s*(?:#|$)/.test(text)) return undefined;
  const [, indent = '', dashes = '', key, rest = ''] = LINE.exec(text) ?? [];
  return { dash: dashes === '' ? -1 : indent.length, column: indent.length + dashes.length, key, rest };
}

/** The keys around a line, and those beside it with their values. */
function surroundings(lines: readonly (Line | undefined)[], number: number, lead: string) {
  const path: (string | number)[] = [];
  const siblings = new Map<string, string>();
  const own: Line = { dash: lead.indexOf('-'), column: lead.length, key: undefined, rest: '' };
  let column = own.column;
  const step = (line: Line, isNear: boolean): void => {
    if (isNear && line.key !== undefined) siblings.set(line.key, line.rest.trim());
    if (line.dash < 0) return;
    path.unshift(0);
    // A list may stand in the column of its own key.
    column = line.dash + 1;
  };
  step(own, false);
  for (let at = number - 1; at >= 0 && (column > 0 || path.length === 0); at -= 1) {
    const line = lines[at];
    if (!line) continue;
    const isInList = path[0] === 0;
    if (isInList && line.dash >= 0 && line.dash + 1 === column) continue; // an item before
    if (line.column === column && !isInList) step(line, path.length === 0);
    else if (line.column < column && line.key !== undefined) {
      path.unshift(line.key);
      column = line.column;
      if (line.dash >= 0) step(line, false);
    }
  }
  if (own.dash < 0 || own.column > 0) gatherBelow(lines, number, own.column, siblings);
  return { path, siblings };
}

/** Keys of the same thing that stand below the line. */
function gatherBelow(
  lines: readonly (Line | undefined)[],
  number: number,
  column: number,
  siblings: Map<string, string>,
): void {
  for (let at = number + 1; at < lines.length; at += 1) {
    const line = lines[at];
    if (!line) continue;
    if (line.column < column || (line.column === column && line.dash >= 0)) return;
    if (line.column === column && line.key !== undefined) siblings.set(line.key, line.rest.trim());
  }
}

function inner(shape: Shape, step: string | number): Shape | undefined {
  if (typeof step === 'number') return shape.items;
  for (const one of shape.anyOf ?? [shape]) {
    const found = one.properties?.[step] ?? Object.values(one.patternProperties ?? {})[0];
    if (found) return found;
  }
  return undefined;
}

/** Names of the agent's own things that a key may name. */
function namesFor(key: string, definition: unknown): readonly string[] {
  if (!isTree(definition)) return [];
  const { flows, tables } = definition;
  if (key === 'table') return Object.keys(isTree(tables) ? tables : {});
  if (key !== 'flow' || !Array.isArray(flows)) return [];
  return flows.flatMap((flow) => (isTree(flow) && typeof flow['name'] === 'string' ? [flow['name']] : []));
}
