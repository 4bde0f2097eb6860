import { isMap, isNode } from 'yaml';
import type { AgentDefinition } from '../../core/agent.ts';
import { AgentDefinitionSchema } from '../agent-schema.ts';
import { isEqual } from './equal.ts';
import type { Shape } from './shape.ts';
import { readYaml } from './yaml-document.ts';
import { changeField } from './yaml-edit.ts';
import { writeDefinition } from './yaml-text.ts';

/** A longer text is not kept: a request of the management API is no longer either. */
export const AGENT_TEXT_CHARACTERS_MAX = 1_000_000;

const SHAPE = AgentDefinitionSchema as unknown as Shape;
const ORDER = Object.keys(SHAPE.properties ?? {});

/** Whether a text says that definition and nothing else. Never throws. */
export const isTextOf = (text: string, definition: AgentDefinition): boolean =>
  isEqual(readYaml(text).value, definition);

/** A definition as a text that nobody wrote. */
export const newText = (definition: AgentDefinition): string => writeDefinition(definition, SHAPE);

/**
 * The text of a definition that somebody wrote otherwise than in it: the one before, with what differs changed where it stands, so that
 * comments, order and the way of writing stay; a new one where that cannot be. Never throws.
 *
 * @param before - a text as it was written, be it of another definition or with more in it.
 * @returns undefined where there was none, or it would be too long to be kept.
 */
export function textAfter(before: string | undefined, definition: AgentDefinition): string | undefined {
  if (before === undefined) return undefined;
  const changed = changeField(readYaml(before), [], definition, ORDER);
  const text = changed?.parsed.text ?? before;
  return kept(isTextOf(text, definition) ? text : newText(definition));
}

/** A text that is to be kept with a definition; undefined where it says another, or is too long. */
export const textWith = (text: string | undefined, definition: AgentDefinition): string | undefined =>
  text !== undefined && isTextOf(text, definition) ? kept(text) : undefined;

/**
 * The text of an agent as a file that can be imported: with the number that it answers before its first key.
 *
 * @param number - undefined where it answers none: the file has to be given one.
 */
export function fileText(text: string, number: string | undefined): string {
  if (number === undefined) return text;
  const parsed = readYaml(text);
  const line = `number: ${JSON.stringify(number)}\n`;
  const at = firstKey(parsed.document.contents);
  const isLine = at !== undefined && (at === 0 || text[at - 1] === '\n');
  const written = isLine ? text.slice(0, at) + line + text.slice(at) : undefined;
  const wanted = { number, ...parsed.value };
  if (written !== undefined && isEqual(readYaml(written).value, wanted)) return written;
  return changeField(parsed, ['number'], number, ['number'])?.parsed.text ?? text;
}

/** Where the first key of a map stands. */
function firstKey(contents: unknown): number | undefined {
  const [pair] = isMap(contents) ? contents.items : [];
  return isNode(pair?.key) ? pair.key.range?.[0] : undefined;
}

const kept = (text: string): string | undefined => (text.length <= AGENT_TEXT_CHARACTERS_MAX ? text : undefined);
