import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './gateway.ts';

/**
 * A folder with the shipped configuration and, for each number, the delivery company's agent with its person at another
 * target. The caller removes it.
 */
export function personsConfig(targets: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'nidaa-config-'));
  mkdirSync(join(folder, 'agents'));
  cpSync(join(ROOT, 'config/nidaa.yaml'), join(folder, 'nidaa.yaml'));
  const agent = readFileSync(join(ROOT, 'config/agents/delivery-en.yaml'), 'utf8');
  for (const [number, target] of Object.entries(targets)) {
    const own = agent
      .replace(/^transferTarget: .*$/m, `transferTarget: "${target}"`)
      .replace(/^number: .*$/m, `number: "${number}"`)
      .replace(/^name: .*$/m, `name: Agent ${number}`);
    writeFileSync(join(folder, `agents/${number}.yaml`), own);
  }
  return folder;
}
