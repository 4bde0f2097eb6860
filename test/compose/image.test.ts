import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const dockerfile = read('docker/Dockerfile').replace(/\\\n\s*/g, '');
const instructions = [...dockerfile.matchAll(/^([A-Z]+) (.+)$/gm)].map(([, name = '', rest = '']) => ({ name, rest }));
const named = (name: string): readonly string[] =>
  instructions.filter((each) => each.name === name).map(({ rest }) => rest);
const last = instructions.slice(instructions.findLastIndex(({ name }) => name === 'FROM'));
const copied = named('COPY').filter((rest) => !rest.startsWith('--from'));
const packages = JSON.parse(read('package.json')) as Record<string, Readonly<Record<string, string>>>;

/** What the gateway and its command line are made of: the console is built before, and served as files. */
const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.startsWith('console/'))
  .map((path) => ({ path: `src/${path}`, text: read(`src/${path}`) }));

describe('the packages of the image', () => {
  const runtime = { ...packages['dependencies'], ...packages['optionalDependencies'] };
  const imported = new Map<string, string>();
  for (const { path, text } of sources) {
    for (const [, name = ''] of text.matchAll(
      /(?:\bfrom |\bimport\(|\brequire\(|\.resolve\(|createRequire\(import\.meta\.url\)\()'((?:@[\w-]+\/)?[\w.-]+)(?:\/[^']*)?'/g,
    )) {
      if (/^[@a-z]/.test(name) && !name.startsWith('node:')) imported.set(name, path);
    }
  }

  it('are all that its code loads', () => {
    const build = { ...packages['devDependencies'] };
    const missing = [...imported].filter(([name]) => name in build && !builtinModules.includes(name));
    expect(missing).toEqual([]);
  });

  it('are no more than that', () => {
    const unused = Object.keys(packages['dependencies']!).filter((name) => !imported.has(name));
    expect(unused).toEqual([]);
    expect(Object.keys(runtime).length).toBeGreaterThan(20);
  });
});

describe('the image', () => {
  it('has the files beside its code that the code reads', () => {
    const needed = sources.flatMap(({ path, text }) =>
      [...text.matchAll(/new URL\('((?:\.\.\/)+(?:src|config)\/?[^']*)', import\.meta\.url\)/g)].map(([, to = '']) =>
        relative(ROOT, fileURLToPath(new URL(to, `file://${join(ROOT, path)}`))),
      ),
    );
    expect(needed.length).toBeGreaterThan(4);
    const runtime = copied.map((rest) => rest.split(' ').at(-1)!.replace(/\/$/, ''));
    const missing = needed.filter((file) => !runtime.some((to) => to !== 'src' && `${file}/`.startsWith(`${to}/`)));
    expect(missing).toEqual([]);
  });

  it('copies what there is, and what the build may see', () => {
    const allowed = read('docker/Dockerfile.dockerignore').match(/(?<=^!).+$/gm) ?? [];
    for (const from of copied.flatMap((rest) => rest.split(' ').slice(0, -1))) {
      expect(existsSync(join(ROOT, from)), from).toBe(true);
      expect(
        allowed.some((path) => `${from}/`.startsWith(`${path}/`)),
        from,
      ).toBe(true);
    }
  });

  it('opens the ports that the settings have', () => {
    const { sip, http, metrics, media } = loadConfig({ env: {} });
    const { min, max } = media.rtpPorts;
    expect(named('EXPOSE').join(' ').split(' ').sort()).toEqual(
      [`${sip.port}/udp`, `${sip.port}/tcp`, `${http.port}/tcp`, `${metrics.port}/tcp`, `${min}-${max}/udp`].sort(),
    );
  });

  it('sets variables that the settings know', () => {
    const env = Object.fromEntries(
      last.filter(({ name }) => name === 'ENV').flatMap(({ rest }) => rest.split(' ').map((pair) => pair.split('='))),
    );
    const { warnings, dataDir, sip } = loadConfig({ env });
    expect(warnings.filter((warning) => warning.startsWith('environment'))).toEqual([]);
    expect(last).toContainEqual({ name: 'VOLUME', rest: dataDir });
    expect(sip.host).toBe('0.0.0.0');
  });

  it('runs without root, from one pinned base, and ends by the signal that lets calls end', () => {
    expect(last).toContainEqual({ name: 'USER', rest: '1000:1000' });
    expect(named('FROM').every((rest) => /^\$\{NODE_IMAGE\}/.test(rest))).toBe(true);
    expect(named('ARG')[0]).toMatch(/^NODE_IMAGE=node:\d+-bookworm-slim$/);
    expect(named('STOPSIGNAL')).toEqual(['SIGTERM']);
    expect(named('CMD').at(-1)).toBe('["node", "--enable-source-maps", "scripts/run.mjs", "main"]');
  });

  it('is asked whether it lives, not whether it takes calls', () => {
    expect(named('HEALTHCHECK').join()).toContain('docker/healthy.mjs');
    expect(read('docker/healthy.mjs')).toContain("path: '/healthz'");
  });
});
