import { isTree } from './yaml-document.ts';

/** The part of JSON schema that agents are described with. */
export interface Shape {
  readonly type?: string;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly patternProperties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
  readonly const?: unknown;
}

/** Of several shapes the one that a value has, by its `type`. */
export function shapeFor(shape: Shape | undefined, value: unknown): Shape | undefined {
  if (!shape?.anyOf || !isTree(value)) return shape;
  return shape.anyOf.find(({ properties }) => properties?.['type']?.const === value['type']) ?? shape;
}

export const itemShape = (shape: Shape): Shape | undefined => shape.items;

/** The shape of a field of `value`; of names that are free, the one that all of them have. */
export function fieldShape(shape: Shape, name: string, value?: unknown): Shape | undefined {
  const own = shapeFor(shape, value);
  return own?.properties?.[name] ?? Object.values(own?.patternProperties ?? {})[0];
}

/** The shape of what stands at a path of `value`. */
export function shapeAt(shape: Shape, path: readonly (string | number)[], value: unknown): Shape | undefined {
  let at: Shape | undefined = shape;
  let inner = value;
  for (const step of path) {
    if (!at) return undefined;
    at = typeof step === 'number' ? itemShape(at) : fieldShape(at, step, inner);
    inner = (inner as Record<string | number, unknown> | undefined)?.[step];
    at = shapeFor(at, inner) ?? at;
  }
  return at;
}

/** The words that may stand there, where only some may. */
export function wordsOf(shape: Shape | undefined): readonly string[] {
  if (shape?.type === 'boolean') return ['true', 'false'];
  if (typeof shape?.const === 'string') return [shape.const];
  return (shape?.anyOf ?? []).flatMap((one) => (typeof one.const === 'string' ? [one.const] : []));
}
