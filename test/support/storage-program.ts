import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freeTcpPort } from './ports.ts';
import { type S3_KEYS, S3Server } from './s3-server.ts';
import { until } from './until.ts';

/** An S3-compatible storage that can be away for a while. */
export interface StorageProgram {
  readonly settings: S3Server['settings'];
  begin(): Promise<void>;
  kill(): Promise<void>;
  /** Names and bytes of all that it keeps. */
  contents(): string;
  dispose(): Promise<void>;
}

/** `NIDAA_TEST_S3RVER`: a folder that the package @20minutes/s3rver was installed in, a storage that others have written. */
const RUN = `const [, program, directory, port] = process.argv;
const S3rver = require(program);
new S3rver({ port: Number(port), address: '127.0.0.1', silent: true, directory, configureBuckets: [{ name: 'calls' }] }).run();`;

/** The real program where there is one, else the stand-in. */
export async function openStorage(): Promise<StorageProgram> {
  const { NIDAA_TEST_S3RVER: home } = process.env;
  if (home) return S3rverProgram.start(createRequire(join(home, 'package.json')).resolve('@20minutes/s3rver'));
  const server = await S3Server.start();
  return {
    settings: server.settings,
    begin: () => server.begin(),
    kill: () => server.kill(),
    contents: () => [...server.objects].map(([name, { bytes }]) => `${name} ${bytes.toString('latin1')}`).join('\n'),
    dispose: () => server.kill(),
  };
}

class S3rverProgram implements StorageProgram {
  #child: ChildProcess | undefined;
  private constructor(
    private readonly program: string,
    private readonly folder: string,
    private readonly port: number,
  ) {}

  static async start(program: string): Promise<S3rverProgram> {
    const storage = new S3rverProgram(program, mkdtempSync(join(tmpdir(), 'nidaa-s3-')), await freeTcpPort());
    await storage.begin();
    return storage;
  }

  get settings(): S3Server['settings'] {
    const endpoint = `http://127.0.0.1:${this.port}`;
    const keys = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' } satisfies typeof S3_KEYS;
    return { endpoint, region: 'us-east-1', bucket: 'calls', addressing: 'path', ...keys };
  }

  async begin(): Promise<void> {
    const child = spawn(process.execPath, ['-e', RUN, this.program, this.folder, String(this.port)], {
      stdio: 'ignore',
    });
    this.#child = child;
    const answers = (): Promise<boolean> =>
      fetch(this.settings.endpoint).then(
        () => true,
        () => false,
      );
    await until(async () => child.exitCode !== null || (await answers()), 'the storage answers', 30_000);
    if (child.exitCode !== null) throw new Error('the storage did not start');
  }

  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
  }

  contents(): string {
    return readdirSync(this.folder, { recursive: true, withFileTypes: true })
      .filter((one) => one.isFile())
      .map((one) => join(one.parentPath, one.name))
      .map((path) => `${path} ${readFileSync(path, 'latin1')}`)
      .join('\n');
  }

  async dispose(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
