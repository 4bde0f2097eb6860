import { isSupportedCountry } from 'libphonenumber-js/min';
import type { AgentFinding } from '../config/agent-meaning.ts';
import { agentFindings } from '../config/agent-meaning.ts';
import type { YamlPath } from '../config/yaml-file.ts';
import type { AgentAction, AgentDefinition, LocalizedList } from '../core/agent.ts';
import { isInside } from '../core/guarded-request.ts';
import { type Notice, notice, textOf } from '../core/notice.ts';
import { isFiller, termsOf } from '../language/lexicon/lexicon.ts';
import { wordsOf } from '../language/words.ts';

/** Everything about an agent's meaning that its author should know, part after part. */
export function checkMeaning(
  definition: AgentDefinition,
  allowedHosts: readonly string[],
  servers: readonly string[] = [],
): AgentFinding[] {
  return [
    ...agentFindings(definition),
    ...collisions(definition),
    ...forbiddenTools(definition, allowedHosts),
    ...unknownServers(definition, servers),
    ...unknownCountry(definition),
  ];
}

/** A sentence that means something, and where it stands. */
interface Example {
  readonly owner: Notice;
  readonly path: YamlPath;
  readonly text: string;
}

/** Sentences of two wishes that the agent cannot tell apart: the same words, or others for the same things. */
function collisions(agent: AgentDefinition): AgentFinding[] {
  const first = new Map<string, Example>();
  const findings: AgentFinding[] = [];
  for (const example of examplesOf(agent)) {
    const meaning = meaningOf(example.text);
    const other = first.get(meaning);
    if (meaning === '' || other === undefined) {
      if (meaning !== '') first.set(meaning, example);
      continue;
    }
    if (isSameOwner(other.owner, example.owner)) continue;
    const isSame = spelt(other.text) === spelt(example.text);
    const means = { text: example.text, other: other.owner };
    const said = isSame
      ? notice('agent.same-words', means)
      : notice('agent.same-meaning', { ...means, like: other.text });
    findings.push({ severity: isSame ? 'error' : 'warning', path: example.path, said });
  }
  return findings;
}

const isSameOwner = (one: Notice, other: Notice): boolean => textOf(one) === textOf(other);

function examplesOf(agent: AgentDefinition): Example[] {
  const of = (owner: Notice, path: YamlPath, list: LocalizedList): Example[] =>
    (['ar', 'en'] as const).flatMap((language) =>
      (list[language] ?? []).map((text, index) => ({ owner, path: [...path, language, index], text })),
    );
  return [
    ...(agent.intents ?? []).flatMap(({ name, examples }, i) =>
      of(notice('meaning.intent', { name }), ['intents', i, 'examples'], examples),
    ),
    ...(agent.knowledge ?? []).flatMap(({ question }, i) =>
      of(notice('meaning.question', { index: i }), ['knowledge', i, 'question'], question),
    ),
  ];
}

const spelt = (text: string): string =>
  wordsOf(text)
    .map((word) => word.text)
    .join(' ');

/** What a sentence says: its concepts and stems, in any order, without politeness. */
function meaningOf(text: string): string {
  const said = wordsOf(text)
    .map((word) => word.text)
    .filter((word) => !isFiller(word));
  const keys = termsOf(said).flatMap(({ key }) => (key === '' ? [] : [key]));
  return [...new Set(keys)].sort().join(' ');
}

/** Tools of which the gateway knows already that it will not call them. */
function forbiddenTools(agent: AgentDefinition, allowedHosts: readonly string[]): AgentFinding[] {
  return toolsOf(agent).flatMap(({ path, url }): AgentFinding[] => {
    const address = /^https?:\/\/([^/?#]*)/i.exec(url)?.[1] ?? '';
    if (address.includes('{{') || address.includes('@') || address === '') {
      return [
        {
          severity: 'error',
          path,
          said: notice('agent.tool-host-open', { address: address || url }),
        },
      ];
    }
    const host = address.replace(/:\d+$/, '').toLowerCase();
    if (allowedHosts.some((allowed) => [host, address.toLowerCase()].includes(allowed.toLowerCase()))) return [];
    if (!isInside(host.replace(/^\[|\]$/g, ''))) return [];
    return [{ severity: 'error', path, said: notice('agent.tool-host-inside', { host }) }];
  });
}

/** MCP servers that this gateway does not have. */
function unknownServers({ mcp = [] }: AgentDefinition, servers: readonly string[]): AgentFinding[] {
  return mcp.flatMap((name, index): AgentFinding[] => {
    if (servers.includes(name)) return [];
    return [{ severity: 'error', path: ['mcp', index], said: notice('agent.unknown-server', { name }) }];
  });
}

/** Of a country without a numbering plan no number could be taken. */
function unknownCountry({ country }: AgentDefinition): AgentFinding[] {
  if (country === undefined || isSupportedCountry(country)) return [];
  return [{ severity: 'error', path: ['country'], said: notice('agent.unknown-country', { country }) }];
}

function toolsOf(agent: AgentDefinition): { readonly path: YamlPath; readonly url: string }[] {
  const tool = (action: AgentAction | undefined, path: YamlPath): { path: YamlPath; url: string }[] =>
    action?.type === 'http' ? [{ path: [...path, 'url'], url: action.url }] : [];
  return [
    ...(agent.tools ?? []).map(({ url }, i) => ({ path: ['tools', i, 'url'], url })),
    ...(agent.intents ?? []).flatMap(({ action }, i) => tool(action, ['intents', i, 'action'])),
    ...(agent.flows ?? []).flatMap(({ actions }, i) =>
      actions.flatMap((action, at) => tool(action, ['flows', i, 'actions', at])),
    ),
  ];
}
