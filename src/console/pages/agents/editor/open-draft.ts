import type { Answer } from '../../../api/client.ts';
import schema from '../../../api/generated/agent-definition.json';
import { type DraftBase, DraftStore } from '../model/draft-store.ts';
import { keptDraft } from '../model/kept-draft.ts';
import type { Shape } from '../model/shape.ts';
import { readYaml } from '../model/yaml-document.ts';
import { writeDefinition } from '../model/yaml-text.ts';

export type Agent = Answer<'getAgent'>;
export interface Loaded {
  readonly value: Agent;
  readonly tag: string | undefined;
}
export const AGENT_SHAPE = schema as unknown as Shape;
const ORDER = Object.keys(AGENT_SHAPE.properties ?? {});
const timer = {
  start: (work: () => void, ms: number) => setTimeout(work, ms),
  stop: (handle: unknown) => clearTimeout(handle as number | undefined),
};

export const textOf = (definition: unknown): string => writeDefinition(definition, AGENT_SHAPE);

export function baseOf({ value, tag }: Loaded): DraftBase {
  return { ...{ tag, version: value.version, value: value.definition as never }, text: textOf(value.definition) };
}

/** The draft of an agent: what this tab has kept, else what is saved. `isKept`: there are changes of before. */
export function openDraft(loaded: Loaded): { readonly store: DraftStore; readonly isKept: boolean } {
  const saved = baseOf(loaded);
  const kept = keptDraft(loaded.value.id, sessionStorage);
  if (!kept || kept.text === saved.text)
    return { store: new DraftStore(saved, saved.text, ORDER, timer), isKept: false };
  // Changes over an older version keep what they began with: saving them then shows what others have changed.
  const base =
    kept.base.tag === saved.tag ? saved : { ...kept.base, value: readYaml(kept.base.text).value ?? saved.value };
  return { store: new DraftStore(base, kept.text, ORDER, timer), isKept: true };
}
