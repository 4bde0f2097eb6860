import { isTree, readYaml, type TextProblem } from '../../../../config/agent-text/yaml-document.ts';

/** A definition whose agent is called otherwise, also where it says its name. Pure. */
export function renamed(
  definition: Readonly<Record<string, unknown>>,
  name: string,
): Readonly<Record<string, unknown>> {
  const old = definition['name'];
  const replace = (value: unknown): unknown => {
    if (typeof value === 'string')
      return typeof old === 'string' && old !== '' ? value.replaceAll(old, () => name) : value;
    if (Array.isArray(value)) return value.map(replace);
    if (!isTree(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, replace(one)]));
  };
  return { ...(replace(definition) as object), name };
}

export type Pasted =
  | {
      readonly definition: Readonly<Record<string, unknown>>;
      readonly number: string | undefined;
      readonly lacksSentences: boolean;
    }
  | { readonly problem: TextProblem | undefined };

/** An agent file as a definition: its number, and the file beside it with more sentences, are no part of one. Pure. */
export function pastedDefinition(text: string): Pasted {
  const { value, problems } = readYaml(text);
  if (!value) return { problem: problems[0] };
  const { number, sentencesFile, status: _status, ...definition } = value;
  return {
    definition,
    number: typeof number === 'string' || typeof number === 'number' ? String(number) : undefined,
    lacksSentences: sentencesFile !== undefined,
  };
}
