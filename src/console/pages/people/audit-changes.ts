import { type Difference, differences } from '../../../manage/json-diff.ts';

/** One thing that is other than it was. */
export interface ChangeLine {
  /** Names on the way to it: `limits`, `calls_at_once`. */
  readonly path: readonly string[];
  readonly kind: Difference['kind'];
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** The entry itself says when it was. */
const MOMENT_OF_CHANGE = '/updated_at';

/** What an entry of the audit log changed, in the order of its fields. What was made or removed has each of its own fields. */
export function changeLines(before: unknown, after: unknown): readonly ChangeLine[] {
  if (before === null && after === null) return [];
  return differences(before ?? emptyOf(after), after ?? emptyOf(before))
    .flatMap(leaves)
    .filter(({ path }) => path !== MOMENT_OF_CHANGE)
    .map(({ path, kind, before: was, after: is }) => ({
      path: namesOf(path),
      kind,
      before: was === undefined ? undefined : written(was),
      after: is === undefined ? undefined : written(is),
    }));
}

const isTree = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const emptyOf = (value: unknown): unknown => (isTree(value) ? (Array.isArray(value) ? [] : {}) : undefined);

/** A tree that came or went as a whole is told by its fields. Lists of plain values stay one value. */
function leaves(difference: Difference): readonly Difference[] {
  const { path, kind, before, after } = difference;
  const tree = kind === 'added' ? after : kind === 'removed' ? before : undefined;
  if (!isTree(tree) || Object.keys(tree).length === 0 || isPlainList(tree)) return [difference];
  return Object.entries(tree).flatMap(([name, value]) => {
    const inner = `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    return leaves(
      kind === 'added' ? { path: inner, kind, after: value } : { path: inner, kind: 'removed', before: value },
    );
  });
}

const isPlainList = (value: unknown): boolean => Array.isArray(value) && value.every((one) => !isTree(one));

/** RFC 6901 §4. */
const namesOf = (path: string): readonly string[] =>
  path
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));

function written(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && isPlainList(value)) return value.map(String).join(', ');
  return JSON.stringify(value) ?? '';
}
