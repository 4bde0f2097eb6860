import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { configFolder, GREETER } from './config-folder.ts';
import { ROOT } from './gateway.ts';

/**
 * A folder with the shipped configuration and, for each number, an agent that greets and has its person at another target.
 * The caller removes it.
 *
 * @param rules - by number: how its callers come to a person, as YAML in one line.
 */
export function personsConfig(
  targets: Readonly<Record<string, string>>,
  rules: Readonly<Record<string, string>> = {},
): ReturnType<typeof configFolder> {
  const [greeter] = Object.values(GREETER);
  const agents = Object.entries(targets).map(([number, target]): [string, string] => {
    const own = greeter!
      .replace(/^number: .*$/m, `number: "${number}"`)
      .replace(/^name: .*$/m, `name: Agent ${number}`);
    const how = rules[number] === undefined ? '' : `transfer: ${rules[number]}\n`;
    return [`agents/${number}.yaml`, `${own}transferTarget: "${target}"\n${how}`];
  });
  const folder = configFolder(Object.fromEntries(agents));
  cpSync(join(ROOT, 'config/nidaa.yaml'), join(folder.dir, 'nidaa.yaml'));
  return folder;
}
