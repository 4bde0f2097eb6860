import { type AgentDefinition, languagesOf, localize, type ToolDefinition } from '../core/agent.ts';
import { notice } from '../core/notice.ts';
import { type Refuse, unique } from './references.ts';
import type { YamlPath } from './yaml-file.ts';

/** Tools of every model-backed agent; and header fields that belong to the connection. */
const OWN_TOOLS = ['transfer_call', 'end_call', 'collect_keys'];
const OWN_HEADERS = /^(?:host|connection|content-length|content-type|transfer-encoding|upgrade|te|trailer|expect)$/i;
const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/;
const HEADER_TEXT = /^[\x20-\x7e]{0,1000}$/;
const HOLE = /\{\{\s*([^{}]*?)\s*\}\}/g;

/** What is agreed on must have been heard: every value stands in the read-back, in every language of the agent. */
export function checkTools(
  agent: AgentDefinition,
  refuse: Refuse,
  checkParameter: (parameter: NonNullable<ToolDefinition['parameters']>[number], path: YamlPath) => void,
): void {
  const { tools = [], flows = [], replyEngine } = agent;
  for (const [field, items] of Object.entries({ tools, mcp: agent.mcp ?? [] })) {
    if (items.length > 0 && flows.length > 0) refuse([field], notice('tool.beside-flows'));
    if (items.length > 0 && replyEngine === 'scripted') refuse([field], notice('tool.without-model'));
  }
  unique(tools, ['tools'], refuse);
  tools.forEach((tool, index) => {
    const path = ['tools', index];
    if (OWN_TOOLS.includes(tool.name)) refuse([...path, 'name'], notice('tool.own-name', { name: tool.name }));
    unique(tool.parameters ?? [], [...path, 'parameters'], refuse);
    tool.parameters?.forEach((parameter, at) => {
      checkParameter(parameter, [...path, 'parameters', at]);
    });
    checkAgreement(agent, tool, path, refuse);
    checkHeaders(tool.headers, [...path, 'headers'], refuse);
  });
}

function checkAgreement(agent: AgentDefinition, tool: ToolDefinition, path: YamlPath, refuse: Refuse): void {
  const changes = tool.changes ?? tool.method !== 'GET';
  if (!changes) {
    for (const field of ['confirm', 'then', 'otherwise'] as const)
      if (tool[field]) refuse([...path, field], notice('tool.changes-nothing'));
    return;
  }
  for (const language of languagesOf(agent)) {
    const text = localize(tool.confirm, language).trim();
    if (text !== '' && !/[.!?؟]$/.test(text)) refuse([...path, 'confirm', language], notice('tool.open-sentence'));
  }
  if (!tool.confirm) return refuse(path, notice('tool.no-confirm'));
  tool.parameters?.forEach(({ name, optional }, at) => {
    if (optional) refuse([...path, 'parameters', at, 'optional'], notice('tool.optional-value'));
    for (const language of languagesOf(agent)) {
      const names = [...localize(tool.confirm, language).matchAll(HOLE)].map((match) => match[1]);
      if (!names.includes(name))
        refuse(
          [...path, 'confirm'],
          notice('tool.unheard', { variable: `{{${name}}}`, language: notice(`language.${language}`) }),
        );
    }
  });
}

/** Fixed text and secrets. */
export function checkHeaders(headers: ToolDefinition['headers'], path: YamlPath, refuse: Refuse): void {
  for (const [name, value] of Object.entries(headers ?? {})) {
    if (!HEADER_NAME.test(name) || OWN_HEADERS.test(name)) refuse([...path, name], notice('tool.header-of-connection'));
    else if (!HEADER_TEXT.test(value)) refuse([...path, name], notice('tool.header-text'));
    for (const [whole, inside = ''] of value.matchAll(HOLE))
      if (!inside.startsWith('secret:')) refuse([...path, name], notice('tool.header-value', { value: whole }));
  }
}
