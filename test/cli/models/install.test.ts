import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { KnownModel } from '../../../src/cli/models/catalogue.ts';
import { type InstallOrder, installModel } from '../../../src/cli/models/install.ts';
import { installedModels } from '../../../src/cli/models/manifest.ts';
import { verifyModel } from '../../../src/cli/models/verify.ts';
import { type TarPart, tarFile } from '../../support/tar-file.ts';
import { tinyNemoCtc } from '../../support/tiny-models.ts';

const NOW = new Date('2026-11-27T00:00:00Z');
const MODEL: readonly TarPart[] = [
  { path: 'my-model/', type: '5' },
  { path: 'my-model/model.int8.onnx', content: 'weights' },
  { path: 'my-model/tokens.txt', content: 'a 0\n' },
  { path: 'my-model/test_wavs/0.wav', content: 'sound' },
];
const sum = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');

let folder: string;
let modelsDir: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'nidaa-install-'));
  modelsDir = join(folder, 'data/models');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function brought(name: string, content: Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}
const install = (place: string, change: Partial<InstallOrder> = {}, known: readonly KnownModel[] = []) =>
  installModel({ place, kind: 'nemo-ctc', bytesMax: 1e6, ...change }, modelsDir, known, NOW);
/** Everything below the folder of models, with what begins with a dot. */
const there = (): string[] =>
  existsSync(modelsDir) ? readdirSync(modelsDir, { recursive: true }).map(String).sort() : [];

describe('installing a model', () => {
  it.each([
    { name: 'tar', file: 'My-Model.tar', pack: (tar: Buffer) => tar },
    { name: 'gzip', file: 'My-Model.tar.gz', pack: gzipSync },
    { name: 'bzip2', file: 'My-Model.tar.bz2', pack: (tar: Buffer) => execFileSync('bzip2', ['-c'], { input: tar }) },
  ])(
    'unpacks what came as $name, without the folder around it, and writes down what it was',
    async ({ file, pack }) => {
      const { manifest, folder: at } = await install(brought(file, pack(tarFile(...MODEL))), { languages: ['ar'] });
      expect(at).toBe(join(modelsDir, 'my-model'));
      expect(readdirSync(at, { recursive: true }).map(String).sort()).toEqual([
        ...['model.int8.onnx', 'nidaa-model.json', 'test_wavs', 'test_wavs/0.wav', 'tokens.txt'],
      ]);
      expect(manifest).toEqual({
        ...{ name: 'my-model', kind: 'nemo-ctc', languages: ['ar'], from: file, installedAt: NOW.toISOString() },
        files: [
          { path: 'model.int8.onnx', bytes: 7, sha256: sum('weights') },
          { path: 'test_wavs/0.wav', bytes: 5, sha256: sum('sound') },
          { path: 'tokens.txt', bytes: 4, sha256: sum('a 0\n') },
        ],
      });
      expect((await installedModels(modelsDir)).map((model) => model.manifest)).toEqual([manifest]);
      expect(statSync(join(at, 'model.int8.onnx')).mode & 0o111).toBe(0);
    },
  );

  it('takes a folder, one model file, and an archive that tar made, with a long name in it', async () => {
    const own = tinyNemoCtc(join(folder, 'own'));
    const long = `${'deep/'.repeat(12)}${'x'.repeat(150)}.txt`;
    mkdirSync(join(own, 'deep/'.repeat(12)), { recursive: true });
    writeFileSync(join(own, long), 'long');
    expect((await install(own)).manifest.files).toHaveLength(3);
    const single = brought('silero_vad.onnx', Buffer.from('weights'));
    expect((await install(single, { kind: 'silero-vad' })).folder).toBe(join(modelsDir, 'silero_vad'));
    for (const format of ['gnu', 'posix']) {
      execFileSync('tar', ['-C', folder, `--format=${format}`, '-czf', join(folder, `${format}.tgz`), 'own']);
      const { manifest } = await install(join(folder, `${format}.tgz`));
      expect(manifest.files.map(({ path }) => path)).toEqual([long, 'model.onnx', 'tokens.txt']);
    }
  });

  const more = (part: TarPart): Buffer => tarFile(...MODEL, part);
  it.each([
    { name: 'a path that leads out', tar: more({ path: 'my-model/../../../evil', content: 'x' }), why: 'leads out' },
    { name: 'an absolute path', tar: more({ path: '/tmp/nidaa-evil', content: 'x' }), why: 'leads out' },
    { name: 'a path with a backslash', tar: more({ path: 'my-model\\..\\evil', content: 'x' }), why: 'has characters' },
    { name: 'a path with a line break', tar: more({ path: 'my-model/a\nb', content: 'x' }), why: 'has characters' },
    {
      name: 'a path that leads out in a pax header',
      tar: tarFile(
        ...MODEL,
        { path: 'x', type: 'x', content: '22 path=../../evil/a\n' },
        { path: 'fine', content: 'x' },
      ),
      why: 'leads out',
    },
    {
      name: 'a symbolic link',
      tar: more({ path: 'my-model/link', type: '2', link: '/etc/passwd' }),
      why: 'a symbolic link',
    },
    { name: 'a hard link', tar: more({ path: 'my-model/link', type: '1', link: '/etc/passwd' }), why: 'a hard link' },
    { name: 'a device', tar: more({ path: 'my-model/null', type: '3' }), why: 'a device' },
    { name: 'a file twice', tar: more({ path: 'my-model/./tokens.txt', content: 'x' }), why: 'twice' },
    {
      name: 'more than may be',
      tar: more({ path: 'my-model/big', content: Buffer.alloc(1_000_001) }),
      why: 'larger than',
    },
    { name: 'less than it says', tar: tarFile(...MODEL, { path: 'a', size: 5_000 }), why: 'ends before its end' },
    {
      name: 'a name without end',
      tar: more({ path: 'x', type: 'L', size: 1e6, content: 'x' }),
      why: 'longer than any',
    },
    {
      name: 'a damaged header',
      tar: more({ path: 'a', content: 'x', damaged: true }),
      why: 'no tar archive, or damaged',
    },
    { name: 'no file of its kind', tar: tarFile(...MODEL.slice(0, 2)), why: 'lacks tokens.txt' },
    { name: 'nothing', tar: Buffer.alloc(1024), why: 'no entries' },
    { name: 'no archive', tar: Buffer.from('<html>Not found</html>'.repeat(100)), why: 'no tar archive' },
  ])('refuses $name, and leaves nothing behind', async ({ tar, why }) => {
    await expect(install(brought('model.tar', tar))).rejects.toThrow(why);
    expect(there()).toEqual([]);
    expect(readdirSync(folder).sort()).toEqual(['data', 'model.tar']);
    expect(existsSync('/tmp/nidaa-evil')).toBe(false);
  });

  it.each([
    { name: 'damaged gzip', file: 'a.tar.gz', content: Buffer.from('no gzip'), why: 'cannot be unpacked' },
    { name: 'damaged bzip2', file: 'a.tar.bz2', content: Buffer.from('no bzip2'), why: 'bzip2 cannot unpack it' },
    {
      name: 'another kind of archive',
      file: 'a.zip',
      content: Buffer.from('PK'),
      why: 'unpack it and name the folder',
    },
  ])('refuses $name', async ({ file, content, why }) => {
    await expect(install(brought(file, content))).rejects.toThrow(why);
    await expect(install(join(folder, 'nowhere.tar'))).rejects.toThrow('is not there');
    expect(there()).toEqual([]);
  });

  it('follows no link of a folder', async () => {
    const own = tinyNemoCtc(join(folder, 'own'));
    symlinkSync('/etc/passwd', join(own, 'passwd'));
    await expect(install(own)).rejects.toThrow('"passwd" is a symbolic link: copy the folder with `cp -rL` first');
  });

  it('replaces a model only when it is told to, and only by one that is whole', async () => {
    const path = brought('m.tar', tarFile(...MODEL));
    await install(path);
    await expect(install(path)).rejects.toThrow('m is installed already: --replace');
    const broken = brought('n.tar', tarFile(...MODEL.slice(0, 2)));
    await expect(install(broken, { name: 'm', replace: true })).rejects.toThrow('lacks');
    const before = there();
    expect(before).toContain('m/tokens.txt');
    const other = brought('o.tar', tarFile(...MODEL.slice(0, 3), { path: 'my-model/other', content: 'x' }));
    await install(other, { name: 'm', replace: true });
    expect(there()).toEqual(['m', 'm/model.int8.onnx', 'm/nidaa-model.json', 'm/other', 'm/tokens.txt']);
  });

  it('takes only the file of the sum that it is told, or that is known', async () => {
    const tar = tarFile(...MODEL);
    const path = brought('m.tar', tar);
    await expect(install(path, { sha256: sum('other') })).rejects.toThrow('not the one that was given');
    await install(path, { sha256: sum(tar).toUpperCase() });
    const row = (sha256: string): KnownModel => ({
      ...{ name: 'known', kind: 'nemo-ctc', languages: ['ar'], licence: 'MIT', upstream: 'm.tar' },
      ...{ source: 'https://example.com', lookedUp: '2026-11-27', files: [{ name: 'tokens.txt', sha256 }] },
    });
    await expect(install(path, {}, [row(sum('other'))])).rejects.toThrow('tokens.txt is not the file that is known');
    const { kind: _, ...order } = { place: path, kind: undefined, bytesMax: 1e6 };
    const { manifest, confirmed } = await installModel(order, modelsDir, [row(sum('a 0\n'))], NOW);
    expect(manifest).toMatchObject({ name: 'known', kind: 'nemo-ctc', languages: ['ar'], licence: 'MIT' });
    expect(confirmed).toEqual(['tokens.txt']);
    await expect(installModel({ ...order, name: 'mine' }, modelsDir, [], NOW)).rejects.toThrow('--kind says it');
    await expect(install(path, { name: '../mine' })).rejects.toThrow('is no name for a model');
  });

  it('clears away what a killed one has left, a day later', async () => {
    for (const [name, hours] of [
      ['.incoming-old', 30],
      ['.incoming-new', 2],
    ] as const) {
      mkdirSync(join(modelsDir, name), { recursive: true });
      const at = new Date(NOW.getTime() - hours * 3_600_000);
      utimesSync(join(modelsDir, name), at, at);
    }
    await install(brought('m.tar', tarFile(...MODEL)));
    expect(readdirSync(modelsDir).sort()).toEqual(['.incoming-new', 'm']);
  });
});

describe('verifying a model', () => {
  it('names what is not as it was', async () => {
    const { folder: at } = await install(brought('m.tar', tarFile(...MODEL)));
    const [model] = await installedModels(modelsDir);
    expect(await verifyModel(model!)).toEqual({ name: 'm', files: 3, changed: [], missing: [], added: [] });
    writeFileSync(join(at, 'tokens.txt'), 'b 0\n');
    rmSync(join(at, 'test_wavs'), { recursive: true });
    writeFileSync(join(at, 'notes.txt'), 'x');
    expect(await verifyModel(model!)).toEqual({
      ...{ name: 'm', files: 3, changed: ['tokens.txt'], missing: ['test_wavs/0.wav'], added: ['notes.txt'] },
    });
    expect(readFileSync(join(at, 'nidaa-model.json'), 'utf8')).toContain('"from": "m.tar"');
  });
});
