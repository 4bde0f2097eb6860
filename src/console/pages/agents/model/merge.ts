import { isEqual } from '../../../../config/agent-text/equal.ts';
import { type FieldPath, isTree } from '../../../../config/agent-text/yaml-document.ts';

/** What two people made of one thing, put together; `conflicts`: fields that both changed, each another way. */
export interface Merged {
  readonly value: unknown;
  readonly conflicts: readonly FieldPath[];
}

/** Fields are put together one by one; a list that both changed only where it kept its length. Pure. */
export function mergeChanges(base: unknown, theirs: unknown, mine: unknown, path: FieldPath = []): Merged {
  if (isEqual(theirs, mine) || isEqual(base, theirs)) return { value: mine, conflicts: [] };
  if (isEqual(base, mine)) return { value: theirs, conflicts: [] };
  if (isTree(base) && isTree(theirs) && isTree(mine)) {
    const conflicts: FieldPath[] = [];
    const names = [...new Set([...Object.keys(mine), ...Object.keys(theirs)])];
    const entries = names.flatMap((name) => {
      const inner = mergeChanges(base[name], theirs[name], mine[name], [...path, name]);
      conflicts.push(...inner.conflicts);
      return inner.value === undefined ? [] : [[name, inner.value]];
    });
    return { value: Object.fromEntries(entries), conflicts };
  }
  const lists = [base, theirs, mine].filter((one) => Array.isArray(one)) as unknown[][];
  if (lists.length === 3 && lists.every(({ length }) => length === lists[0]!.length)) {
    const merged = lists[0]!.map((one, at) => mergeChanges(one, lists[1]![at], lists[2]![at], [...path, at]));
    return { value: merged.map(({ value }) => value), conflicts: merged.flatMap(({ conflicts }) => conflicts) };
  }
  return { value: mine, conflicts: [path] };
}
