import type { ConfigFile } from './schema.ts';
import type { YamlFile } from './yaml-file.ts';

/** `engines.httpTools` with the secrets taken from the environment; `value` is absent where it has none and none is needed. */
export interface ToolSettings {
  allowedHosts: string[];
  secrets: Record<string, { value?: string; hosts: string[] }>;
}

const NAME = /^[A-Za-z0-9_-]{1,64}$/;
/** It stands in a header field (RFC 9110 §5.5). */
const VALUE = /^[\x21-\x7e]{1,4096}$/;

/** Reads what tools are let in with; what is missing, or no header field takes, is a problem of the start. */
export function readToolSecrets(
  { allowedHosts, secrets }: ConfigFile['engines']['httpTools'],
  env: Readonly<Record<string, string | undefined>>,
  file: YamlFile,
  areNeeded: boolean,
): ToolSettings {
  const read: ToolSettings['secrets'] = {};
  for (const [name, { env: variable, hosts }] of Object.entries(secrets)) {
    const path = ['engines', 'httpTools', 'secrets', name];
    const value = env[variable];
    if (!NAME.test(name)) file.problem(path, 'expected a name of letters, digits, _ and -');
    if (!value && areNeeded)
      file.problem([...path, 'env'], `expected a secret in the environment variable ${variable}, got nothing`);
    if (value && !VALUE.test(value)) file.problem([...path, 'env'], `expected printable ASCII text in ${variable}`);
    read[name] = { ...(value && { value }), hosts };
  }
  return { allowedHosts, secrets: read };
}
