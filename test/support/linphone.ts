import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeMicrophone } from './caller-voice.ts';
import { Heard } from './heard.ts';
import { freeSipPort, freeUdpRange } from './ports.ts';

/** It opens connections by this transport, and listens on none. */
const ONLY_OUT = -2;

const WAV_HEADER_BYTES = 44;

/** A second, unrelated real phone (linphonec: belle-sip and mediastreamer2), driven through its console. */
export class Linphone {
  #output = '';
  private constructor(
    readonly folder: string,
    private readonly process: ChildProcess,
    readonly sipPort: number,
  ) {
    process.stdout!.on('data', (chunk) => {
      this.#output += String(chunk);
    });
    process.stdin!.on('error', () => {});
  }

  /** @param encryption - `srtp` in every call, or none. */
  static async start(
    microphone: Int16Array,
    line?: LinphoneLine,
    encryption: 'srtp' | 'none' = 'none',
  ): Promise<Linphone> {
    const folder = mkdtempSync(join(tmpdir(), 'nidaa-linphone-'));
    // Without this folder it stays half-started and refuses every call.
    mkdirSync(join(folder, '.local/share/linphone'), { recursive: true });
    mkdirSync(join(folder, '.config/linphone'), { recursive: true });
    writeMicrophone(join(folder, 'mic.wav'), microphone);
    const sipPort = await freeSipPort();
    const rtpPort = await freeUdpRange(16);
    const own = settings(sipPort, rtpPort, encryption, line?.authorities);
    writeFileSync(join(folder, 'rc'), own + (line ? account(line) : ''));
    const env = { ...process.env, HOME: folder, LANG: 'C', TERM: 'dumb' };
    const child = spawn('linphonec', ['-c', join(folder, 'rc'), '-d', '5', '-l', join(folder, 'log')], {
      env,
      cwd: folder,
    });
    const phone = new Linphone(folder, child, sipPort);
    await sleep(1000);
    for (const line of [
      'ipv6 disable',
      'soundcard use files',
      `play ${join(folder, 'mic.wav')}`,
      `record ${join(folder, 'heard.wav')}`,
    ]) {
      phone.type(line);
      await sleep(200);
    }
    return phone;
  }

  type(line: string): void {
    this.process.stdin!.write(`${line}\n`);
  }
  async call(uri: string): Promise<boolean> {
    const from = this.#output.length;
    this.type(`call ${uri}`);
    return this.#sees(/Media streams established/, 10_000, from);
  }
  /** The call that it talks in waits, and another can be made. */
  async pause(): Promise<boolean> {
    const from = this.#output.length;
    this.type('pause');
    return this.#sees(/is now paused/, 5_000, from);
  }
  /** Sends who is in the first of its calls to whom it talks with in the second: REFER with Replaces (RFC 5589 §7). */
  transfer(id: number, toCall: number): void {
    this.type(`transfer ${id} --to-call ${toCall}`);
  }
  async press(keys: string): Promise<void> {
    for (const key of keys) {
      this.type(key);
      await sleep(500);
    }
  }
  /** Waits for a call and takes it. */
  async answer(withinMs: number): Promise<boolean> {
    if (!(await this.#sees(/Receiving new incoming call/, withinMs))) return false;
    const from = this.#output.length;
    this.type('answer');
    return this.#sees(/Media streams established/, 10_000, from);
  }
  hangup(): void {
    this.type('terminate all');
  }
  /** Whether it gets into this state at its registrar, as its log has it. */
  registration(state: 'Ok' | 'Failed', withinMs: number): Promise<boolean> {
    const log = join(this.folder, 'log');
    const became = new RegExp(`to \\[LinphoneRegistration${state}\\]`);
    return within(withinMs, () => existsSync(log) && became.test(readFileSync(log, 'latin1')));
  }
  endedWithin(ms: number): Promise<boolean> {
    return this.#sees(/Call \d+ with .* ended/, ms);
  }
  get output(): string {
    return this.#output;
  }
  /** What it has heard so far. The header of its file is written when the phone quits. */
  get hearing(): Heard {
    const file = join(this.folder, 'heard.wav');
    const bytes = existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
    if (bytes.length < WAV_HEADER_BYTES) return new Heard(new Int16Array(0), 8000);
    const samples = new Int16Array(Math.floor((bytes.length - WAV_HEADER_BYTES) / 2));
    for (let at = 0; at < samples.length; at += 1) samples[at] = bytes.readInt16LE(WAV_HEADER_BYTES + 2 * at);
    return new Heard(samples, 8000);
  }
  /** Takes leave of its registrar, and ends. */
  async quit(): Promise<void> {
    await sleep(500);
    this.type('quit');
    await Promise.race([new Promise((resolve) => this.process.once('exit', resolve)), sleep(4000)]);
    if (this.process.exitCode === null) this.process.kill('SIGKILL');
  }
  /** Ends, and gives what was heard. */
  async finish(): Promise<Heard | undefined> {
    await this.quit();
    const file = join(this.folder, 'heard.wav');
    return existsSync(file) ? Heard.file(file) : undefined;
  }
  dispose(): void {
    if (this.process.exitCode === null) this.process.kill('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  }

  #sees(pattern: RegExp, withinMs: number, from = 0): Promise<boolean> {
    return within(withinMs, () => pattern.test(this.#output.slice(from)));
  }
}

async function within(ms: number, happened: () => boolean): Promise<boolean> {
  const deadline = Date.now() + ms;
  while (Date.now() < deadline) {
    if (happened()) return true;
    await sleep(50);
  }
  return false;
}

/** Whom it registers as. */
export interface LinphoneLine {
  readonly user: string;
  readonly password: string;
  readonly port: number; // of the registrar
  /** Over TLS: a PEM file with whom it believes. The registrar is called by the name `localhost` then. */
  readonly authorities?: string;
  /** All its calls go there, whatever their domain's port. */
  readonly isProxy?: boolean;
}

function account({ user, password, port, authorities, isProxy }: LinphoneLine): string {
  const [host, how] = authorities === undefined ? ['127.0.0.1', ''] : ['localhost', ';transport=tls'];
  return `[proxy_0]
reg_proxy=<sip:${host}:${port}${how}>
${isProxy ? `reg_route=<sip:${host}:${port};lr${how}>` : ''}
reg_identity=sip:${user}@${host}
reg_expires=120
reg_sendregister=1
[auth_info_0]
username=${user}
passwd=${password}
realm=nidaa
domain=${host}
`;
}

function settings(sipPort: number, rtpPort: number, encryption: 'srtp' | 'none', authorities?: string): string {
  return `[sip]
sip_port=${sipPort}
sip_tcp_port=0
sip_tls_port=${authorities === undefined ? 0 : ONLY_OUT}
guess_hostname=0
contact="lin" <sip:lin@127.0.0.1:${sipPort}>
use_info=0
use_rfc2833=1
media_encryption=${encryption}
media_encryption_mandatory=${encryption === 'none' ? 0 : 1}
root_ca=${authorities ?? ''}
[rtp]
audio_rtp_port=${rtpPort}
[sound]
use_files=1
[audio_codec_0]
mime=PCMU
rate=8000
channels=1
enabled=1
[audio_codec_1]
mime=PCMA
rate=8000
channels=1
enabled=1
`;
}
