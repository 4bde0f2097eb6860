import { didYouMean } from './problems.ts';
import type { YamlPath } from './yaml-file.ts';

/** Told of everything that is wrong, with its place. */
export type Refuse = (path: YamlPath, message: string) => void;

export function unique(items: readonly { readonly name: string }[], path: YamlPath, refuse: Refuse): void {
  const seen = new Set<string>();
  items.forEach(({ name }, index) => {
    if (seen.has(name)) refuse([...path, index, 'name'], `expected a name of its own, got ${name} again`);
    seen.add(name);
  });
}

export function unknown(what: string, got: string, known: readonly string[]): string {
  return `expected ${what}, got ${got}${didYouMean(got, known) || (known.length > 0 ? ` (there are: ${known.join(', ')})` : '')}`;
}
