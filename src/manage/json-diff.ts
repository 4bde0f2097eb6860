/** One difference: where it is, as a JSON pointer (RFC 6901), and what stood there before and after. */
export interface Difference {
  readonly path: string;
  readonly kind: 'added' | 'removed' | 'changed';
  readonly before?: unknown;
  readonly after?: unknown;
}

/** More are not told apart. */
export const DIFFERENCES_MAX = 1_000;

/** What differs between two JSON values. Lists are compared place by place. Pure. */
export function differences(before: unknown, after: unknown): readonly Difference[] {
  const found: Difference[] = [];
  compare(before, after, '', found);
  return found;
}

function compare(before: unknown, after: unknown, path: string, found: Difference[]): void {
  if (found.length >= DIFFERENCES_MAX || before === after) return;
  if (before === undefined) found.push({ path, kind: 'added', after });
  else if (after === undefined) found.push({ path, kind: 'removed', before });
  else if (isTree(before) && isTree(after) && Array.isArray(before) === Array.isArray(after)) {
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      compare(
        own(before, name),
        own(after, name),
        `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
        found,
      );
    }
  } else found.push({ path, kind: 'changed', before, after });
}

const isTree = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const own = (tree: Record<string, unknown>, name: string): unknown =>
  Object.hasOwn(tree, name) ? tree[name] : undefined;
