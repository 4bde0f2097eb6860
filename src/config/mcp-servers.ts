import { isAllowedHost } from '../core/guarded-request.ts';
import type { Notice } from '../core/notice.ts';
import type { ConfigFile } from './schema.ts';
import { checkHeaders } from './tool-rules.ts';
import type { ToolSettings } from './tool-secrets.ts';
import type { YamlFile, YamlPath } from './yaml-file.ts';

type McpFile = ConfigFile['engines']['mcp'];

const NAME = /^[A-Za-z0-9_-]{1,32}$/;
const SERVERS_MAX = 16;
const TOOLS_MAX = 32;
const SECRET = /\{\{\s*secret:([A-Za-z0-9_-]{1,64})\s*\}\}/g;
/** This machine: what is sent cannot be read on the way. */
const HERE = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** `engines.mcp` with the secrets in its header fields; what is missing or goes elsewhere is a problem of the start. */
export function readMcpServers(servers: McpFile, tools: ToolSettings, file: YamlFile): McpFile {
  const refuse = (at: YamlPath, said: string | Notice): void => file.problem(at, said);
  if (Object.keys(servers).length > SERVERS_MAX) refuse(['engines', 'mcp'], `expected at most ${SERVERS_MAX} servers`);
  const read = Object.entries(servers).map(([name, server]) => {
    const path = ['engines', 'mcp', name];
    if (!NAME.test(name)) refuse(path, 'expected a name of at most 32 letters, digits, _ and -');
    checkHeaders(server.headers, [...path, 'headers'], refuse);
    checkRules(server, path, refuse);
    if (!URL.canParse(server.url)) {
      refuse([...path, 'url'], 'expected an http(s) address');
      return [name, server] as const;
    }
    const headers = withSecrets(server, tools, (message) => refuse([...path, 'headers'], message));
    return [name, { ...server, headers }] as const;
  });
  return Object.fromEntries(read);
}

function checkRules({ tools }: McpFile[string], path: YamlPath, refuse: (at: YamlPath, message: string) => void): void {
  const rules = Object.entries(tools);
  if (rules.length === 0 || rules.length > TOOLS_MAX)
    refuse([...path, 'tools'], `expected 1 to ${TOOLS_MAX} tools that may be called`);
  for (const [tool, { changes, confirm, then, otherwise }] of rules) {
    const at = [...path, 'tools', tool];
    if (changes && !confirm)
      refuse(at, 'expected confirm, the read-back of what it changes, or changes: false for a tool that only reads');
    if (!changes && (confirm || then || otherwise))
      refuse(at, 'expected no confirm, then or otherwise: the model tells of tools that only read');
    for (const text of [confirm?.ar, confirm?.en])
      if (text !== undefined && !/[.!?؟]$/.test(text.trim()))
        refuse(
          [...at, 'confirm'],
          'expected a question, or a sentence that ends: else nobody knows whether it was heard',
        );
  }
}

function withSecrets(
  { url, headers }: McpFile[string],
  { secrets, allowedHosts }: ToolSettings,
  refuse: (message: string) => void,
): Record<string, string> {
  const address = new URL(url);
  const isReadable =
    address.protocol !== 'https:' && !HERE.test(address.hostname) && !isAllowedHost(address, allowedHosts);
  const filled = (text: string): string =>
    text.replace(SECRET, (_, name: string) => {
      const secret = Object.hasOwn(secrets, name) ? secrets[name] : undefined;
      if (!secret) refuse(`expected a secret of engines.httpTools.secrets, got ${name}`);
      else if (!isAllowedHost(address, secret.hosts))
        refuse(`expected ${address.host} among the hosts of the secret ${name}`);
      else if (isReadable)
        refuse(`expected https, or the host in engines.httpTools.allowedHosts: ${name} could be read on the way`);
      return secret?.value ?? '';
    });
  return Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, filled(text)]));
}
