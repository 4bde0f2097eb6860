import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './gateway.ts';

const run = promisify(execFile);
const BASE = 'localhost/nidaa-base';
const IMAGE = 'localhost/nidaa';
/** The release that the Dockerfile names, and the Node in it. */
const DEBIAN = 'bookworm';
const MIRROR = 'http://deb.debian.org/debian';
const NODE = '24';
const OUTPUT_BYTES_MAX = 64 * 1_048_576;

/** What an image says of itself. */
export interface ImageConfig {
  readonly User: string;
  readonly Env: readonly string[];
  readonly Cmd: readonly string[];
  readonly WorkingDir: string;
  readonly StopSignal: string;
  readonly Volumes: Readonly<Record<string, object>>;
  readonly Healthcheck?: { readonly Test: readonly string[] };
}

/**
 * The image of `docker/Dockerfile`, instruction by instruction, without an engine and without a registry of images: by buildah,
 * on a base of Debian's packages (debootstrap) with Node and npm as the registry of npm has them. Needs root.
 */
export class ImageBuild {
  readonly #folder = mkdtempSync(join(tmpdir(), 'nidaa-image-'));
  #container: string | undefined;
  #mounted: string | undefined;

  static readonly programs: readonly string[] = ['buildah', 'debootstrap'];

  /** @throws with what the build said. */
  async make(): Promise<void> {
    await this.#base();
    const file = ['-f', join(ROOT, 'docker/Dockerfile'), '--ignorefile', join(ROOT, 'docker/Dockerfile.dockerignore')];
    await this.#buildah('bud', ...file, '--build-arg', `NODE_IMAGE=${BASE}`, '--format', 'docker', '-t', IMAGE, ROOT);
    this.#container = await this.#buildah('from', IMAGE);
    this.#mounted = await this.#buildah('mount', this.#container);
  }

  /** Its files, to look at. */
  get files(): string {
    return this.#mounted!;
  }

  async config(): Promise<ImageConfig> {
    const { Docker } = JSON.parse(await this.#buildah('inspect', '--type', 'image', IMAGE)) as {
      readonly Docker: { readonly config: ImageConfig };
    };
    return Docker.config;
  }

  /** Starts a program in it as its user, on the network of this machine. */
  start(env: Readonly<Record<string, string>>, ...program: readonly string[]): ChildProcess {
    const sets = Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
    return spawn('buildah', [...this.#storage, 'run', ...sets, this.#container!, '--', ...program], { env: ENV });
  }

  /** Removes all of it. */
  async dispose(): Promise<void> {
    if (this.#container !== undefined) {
      await this.#buildah('umount', this.#container).catch(() => undefined);
      await this.#buildah('rm', this.#container).catch(() => undefined);
    }
    await this.#buildah('rmi', '--all', '--force').catch(() => undefined);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** What a registry of images has under the name of `node:24-bookworm-slim`. */
  async #base(): Promise<void> {
    const root = join(this.#folder, 'debian');
    await command('debootstrap', '--variant=minbase', '--include=ca-certificates', DEBIAN, root, MIRROR);
    await command('chroot', root, 'groupadd', '--gid', '1000', 'node');
    await command('chroot', root, 'useradd', '--uid', '1000', '--gid', 'node', '--create-home', 'node');
    const packages = join(this.#folder, 'npm');
    await command('npm', 'install', '--prefix', packages, '--no-audit', '--no-fund', `node@${NODE}`, 'npm@11');
    const local = join(root, 'usr/local');
    const modules = join(packages, 'node_modules');
    cpSync(join(modules, 'node/bin/node'), join(local, 'bin/node'));
    chmodSync(join(local, 'bin/node'), 0o755);
    cpSync(join(modules, 'npm'), join(local, 'lib/node_modules/npm'), { recursive: true });
    for (const name of ['npm', 'npx'])
      symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, join(local, 'bin', name));
    await this.#asHere(local);
    const container = await this.#buildah('from', 'scratch');
    await this.#buildah('copy', '--quiet', container, root, '/');
    await this.#buildah(
      'config',
      '--env',
      'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      container,
    );
    await this.#buildah('commit', '--quiet', '--rm', container, BASE);
    rmSync(root, { recursive: true, force: true });
  }

  /** The registry of npm, and who is believed about it, as on this machine. */
  async #asHere(local: string): Promise<void> {
    const [registry, ca] = await Promise.all(['registry', 'cafile'].map((key) => command('npm', 'config', 'get', key)));
    mkdirSync(join(local, 'etc'), { recursive: true });
    const lines = [`registry=${registry}`];
    if (ca && ca !== 'null') {
      cpSync(ca, join(local, 'etc/npm-ca.crt'), { dereference: true });
      lines.push('cafile=/usr/local/etc/npm-ca.crt');
    }
    writeFileSync(join(local, 'etc/npmrc'), `${lines.join('\n')}\n`);
  }

  get #storage(): readonly string[] {
    return [
      '--root',
      join(this.#folder, 'store'),
      '--runroot',
      join(this.#folder, 'run'),
      '--storage-driver',
      'overlay',
    ];
  }

  #buildah(...args: readonly string[]): Promise<string> {
    return command('buildah', ...this.#storage, ...args);
  }
}

/** Without namespaces of its own, which need rights that a container for tests may lack. */
const ENV = { ...process.env, BUILDAH_ISOLATION: 'chroot' };

/** @returns what it wrote. @throws with the end of what it said. */
async function command(program: string, ...args: readonly string[]): Promise<string> {
  try {
    const { stdout } = await run(program, args, { env: ENV, maxBuffer: OUTPUT_BYTES_MAX });
    return stdout.trim();
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { readonly stdout?: string; readonly stderr?: string };
    throw new Error(`${program} ${args.slice(0, 9).join(' ')}: ${`${stdout}${stderr}`.slice(-4_000)}`, {
      cause: error,
    });
  }
}
