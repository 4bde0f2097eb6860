import type { Shape } from '../../../../config/agent-text/shape.ts';
import { readYaml } from '../../../../config/agent-text/yaml-document.ts';
import { changeField } from '../../../../config/agent-text/yaml-edit.ts';
import { writeDefinition } from '../../../../config/agent-text/yaml-text.ts';
import type { Answer } from '../../../api/client.ts';
import schema from '../../../api/generated/agent-definition.json';
import { type DraftBase, DraftStore } from '../model/draft-store.ts';
import { keptDraft } from '../model/kept-draft.ts';

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

/** What somebody wrote, comments and all; a text made of the definition where nobody has. */
export const writtenText = ({ definition, yaml }: Pick<Agent, 'definition' | 'yaml'>): string =>
  yaml ?? textOf(definition);

/** A text that says another definition, changed where that differs. */
export function putInto(text: string, definition: unknown): string {
  const parsed = readYaml(text);
  return parsed.value ? (changeField(parsed, [], definition, ORDER)?.parsed.text ?? text) : textOf(definition);
}

/** A version and the draft, as they are compared: as they are written where both are, else as they would be. */
export const comparedTexts = (
  version: Pick<Agent, 'definition' | 'yaml'>,
  draft: { readonly text: string; readonly value: unknown },
): { readonly before: string; readonly after: string } =>
  version.yaml === null
    ? { before: textOf(version.definition), after: textOf(draft.value) }
    : { before: version.yaml, after: draft.text };

export function baseOf({ value, tag }: Loaded): DraftBase {
  return { ...{ tag, version: value.version, value: value.definition as never }, text: writtenText(value) };
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
