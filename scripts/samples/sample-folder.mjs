import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A folder as a developer would have it who follows the reference: packages, files to send, programs. */

const POLICY =
  'سياسة الموارد البشرية\n\nمدة الإجازة السنوية ثلاثون يوماً.\nساعات العمل من الثامنة صباحاً إلى الرابعة عصراً.\n';
const SPOKEN = 'Where is my order?';

export async function furnish(folder, root, { url, token }) {
  const packages = join(folder, 'node_modules');
  mkdirSync(join(packages, 'nidaa'), { recursive: true });
  mkdirSync(join(folder, 'bin'));
  for (const name of ['ws', '@types']) symlinkSync(join(root, 'node_modules', name), join(packages, name));
  symlinkSync(join(root, 'dist/client'), join(packages, 'nidaa/client'));
  symlinkSync(join(root, 'scripts/nidaa'), join(folder, 'bin/nidaa'));
  const manifest = { name: 'nidaa', type: 'module', exports: { './client': './client/api-client.js' } };
  writeFileSync(join(packages, 'nidaa/package.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'samples', type: 'module' }));
  writeFileSync(join(folder, 'policy.txt'), POLICY);
  writeFileSync(join(folder, 'clip.wav'), await spoken(url, token));
}

/** The clip of the samples, spoken by the gateway itself: 16 kHz, 16-bit, mono. */
async function spoken(url, token) {
  const response = await fetch(`${url}/v1/speech`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ text: SPOKEN, voice: 'emma', format: 'wav', sample_rate: 16_000 }),
  });
  if (!response.ok) throw new Error(`the clip could not be made: ${await response.text()}`);
  return Buffer.from(await response.arrayBuffer());
}

/**
 * Type-checks the TypeScript samples, with the types of the client as its sources have them, and writes them as JavaScript.
 *
 * @returns {{ problems: Map<string, string>, scriptOf: (name: string) => string }} what is wrong, by file name.
 */
export function compile(folder, root, names) {
  const config = {
    compilerOptions: {
      ...{ target: 'ES2023', module: 'NodeNext', moduleResolution: 'NodeNext', types: ['node'], strict: true },
      ...{ skipLibCheck: true, rewriteRelativeImportExtensions: true, rootDir: '/', outDir: 'made' },
      ...{ verbatimModuleSyntax: true, paths: { 'nidaa/client': [join(root, 'src/client/api-client.ts')] } },
    },
    files: names,
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const { stdout } = spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', folder, '--pretty', 'false'], {
    cwd: folder,
    encoding: 'utf8',
  });
  const problems = new Map();
  for (const line of stdout.split('\n')) {
    const [, file, what] = /^(?:.*\/)?([\w-]+\.ts)\(\d+,\d+\): (.*)$/.exec(line) ?? [];
    if (file && names.includes(file)) problems.set(file, what);
  }
  return { problems, scriptOf: (name) => join(folder, 'made', folder, name.replace(/\.ts$/, '.js')) };
}
