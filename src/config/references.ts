import { type Notice, type NoticeCode, notice } from '../core/notice.ts';
import { closest } from './problems.ts';
import type { YamlPath } from './yaml-file.ts';

/** What is wrong with a field; `''` where it is the whole. A text is somebody else's sentence. */
export interface FieldProblem {
  readonly field: string;
  readonly said: string | Notice;
}

/** Told of everything that is wrong, with its place. */
export type Refuse = (path: YamlPath, said: Notice) => void;

export function unique(items: readonly { readonly name: string }[], path: YamlPath, refuse: Refuse): void {
  const seen = new Set<string>();
  items.forEach(({ name }, index) => {
    if (seen.has(name)) refuse([...path, index, 'name'], notice('reference.name-twice', { name }));
    seen.add(name);
  });
}

/** What a reference may be to. */
type Wanted = Extract<NoticeCode, `wanted.${string}`>;

/** Something that there is not, with what was probably meant, else with what there is. */
export function unknown(what: Wanted, got: string, known: readonly string[]): Notice {
  const said = { wanted: notice(what as 'wanted.flow'), got };
  const meant = closest(got, known);
  if (meant !== undefined) return notice('reference.unknown-meant', { ...said, meant });
  if (known.length === 0) return notice('reference.unknown', said);
  return notice('reference.unknown-of', { ...said, known: known.join(', ') });
}
