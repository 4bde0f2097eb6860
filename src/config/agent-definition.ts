import { Document } from 'yaml';
import type { AgentDefinition } from '../core/agent.ts';
import type { Notice } from '../core/notice.ts';
import { AgentDefinitionSchema } from './agent-schema.ts';
import { checkAgent } from './agents.ts';
import type { FieldProblem } from './references.ts';
import { SchemaReader } from './schema-reader.ts';
import type { VoiceCatalogue } from './voices.ts';
import { fieldName } from './yaml-file.ts';

const PROBLEMS_MAX = 200;

/** A definition that comes from elsewhere than a file, held to the same rules: shape first, then sense. */
export function readDefinition(
  value: unknown,
  voices: VoiceCatalogue,
): { readonly definition: AgentDefinition } | { readonly problems: readonly FieldProblem[] } {
  const problems: FieldProblem[] = [];
  const add = (field: string, said: Notice): void => {
    if (problems.length < PROBLEMS_MAX) problems.push({ field, said });
  };
  const { contents } = new Document(value as never, { version: '1.2', aliasDuplicateObjects: false });
  const reader = new SchemaReader((_node, field, said) => add(field, said));
  const definition = reader.read(AgentDefinitionSchema, contents ?? undefined, '') as AgentDefinition;
  if (problems.length === 0) checkAgent(definition, voices, (path, said) => add(fieldName(path), said));
  return problems.length === 0 ? { definition } : { problems };
}
