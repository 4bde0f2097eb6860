import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freeSipPort, freeTcpPort } from './ports.ts';

/** The path of a real drachtio-server, where there is one on this machine. */
export const drachtioPath = process.env['DRACHTIO_SERVER'] ?? '';
export const haveDrachtio = drachtioPath !== '' && existsSync(drachtioPath);

/** A real drachtio-server on loopback. */
export class DrachtioReal {
  private constructor(
    private readonly child: ChildProcess,
    private readonly folder: string,
    readonly adminPort: number,
    readonly sipPort: number,
  ) {}

  static async open(secret: string, port?: number): Promise<DrachtioReal> {
    const folder = mkdtempSync(join(tmpdir(), 'drachtio-'));
    const [adminPort, sipPort] = [await freeTcpPort(), port ?? (await freeSipPort())];
    writeFileSync(
      join(folder, 'drachtio.conf.xml'),
      `<drachtio>
        <admin port="${adminPort}" secret="${secret}">127.0.0.1</admin>
        <sip><contacts><contact>sip:127.0.0.1:${sipPort};transport=udp,tcp</contact></contacts></sip>
        <logging><console/><sofia-loglevel>0</sofia-loglevel><loglevel>warning</loglevel></logging>
      </drachtio>`,
    );
    const child = spawn(drachtioPath, ['-f', join(folder, 'drachtio.conf.xml')], { stdio: 'ignore' });
    const server = new DrachtioReal(child, folder, adminPort, sipPort);
    for (let tries = 0; tries < 100; tries += 1) {
      if (await listens(adminPort)) return server;
      await sleep(100);
    }
    await server.close();
    throw new Error('the drachtio-server did not start');
  }

  async close(): Promise<void> {
    const gone = new Promise((resolve) => this.child.once('exit', resolve));
    if (this.child.exitCode === null) {
      this.child.kill('SIGKILL');
      await gone;
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
