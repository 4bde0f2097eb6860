import { isTree } from './yaml-document.ts';

/** Whether two JSON values are the same; the order of keys is none of it. Pure. */
export function isEqual(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, index) => isEqual(item, other[index]));
  if (!isTree(one) || !isTree(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isEqual(one[name], other[name]))
  );
}

/** `next`, with every part that is as it was being the very part of `before`: what shows it needs no new look. Pure. */
export function sharing<T>(before: unknown, next: T): T {
  if (isEqual(before, next)) return before as T;
  if (Array.isArray(next)) {
    const old = Array.isArray(before) ? before : [];
    return next.map((item, index) => sharing(old[index], item)) as T;
  }
  if (!isTree(next)) return next;
  const old = isTree(before) ? before : {};
  return Object.fromEntries(Object.entries(next).map(([name, value]) => [name, sharing(old[name], value)])) as T;
}

/** A copy with another value at a path; `undefined` takes the field away, and with it what it leaves empty. Pure. */
export function withValue(value: unknown, path: readonly (string | number)[], next: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return next;
  if (typeof step === 'number') {
    const items = Array.isArray(value) ? [...value] : [];
    const inner = withValue(items[step], rest, next);
    if (inner === undefined) items.splice(step, 1);
    else items[step] = inner;
    return items;
  }
  const { [step]: old, ...others } = isTree(value) ? value : {};
  const inner = withValue(old, rest, next);
  const isLeft = inner === undefined || (next === undefined && isTree(inner) && Object.keys(inner).length === 0);
  if (isLeft) return others;
  return isTree(value) && step in value
    ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, name === step ? inner : one]))
    : { ...others, [step]: inner };
}
