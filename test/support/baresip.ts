import { type ChildProcess, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { connect, isIPv6, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { uriHost } from '../../src/sip/sip-uri.ts';
import { writeMicrophone } from './caller-voice.ts';
import { Heard } from './heard.ts';
import { freeSipPort, freeTcpPort, freeUdpRange } from './ports.ts';

const MODULES = [
  '/usr/lib/baresip/modules',
  '/usr/lib/x86_64-linux-gnu/baresip/modules',
  '/usr/local/lib/baresip/modules',
];
const WANTED = ['g711', 'g722', 'aufile', 'aubridge', 'sndfile', 'uuid'];

interface PhoneEvent {
  readonly type?: string;
  readonly param?: string;
  readonly id?: string; // Call-ID, of what happens to a call
  readonly atMs: number;
}

export interface PhoneOptions {
  /** What it says, from the moment the call is answered; silence follows. */
  readonly microphone?: Int16Array;
  readonly user?: string;
  readonly sipPort?: number;
  readonly transport?: 'udp' | 'tcp' | 'tls';
  /** With `tls`: a PEM file with its own certificate and key, and one with whom it believes. */
  readonly tls?: { readonly certificate: string; readonly authorities: string };
  readonly infoDtmf?: boolean;
  /** Where it is; 127.0.0.1 where it is left out. */
  readonly address?: string;
  /** Speaks as soon as it rings (183), before it is told to take the call. */
  readonly early?: boolean;
  /** Registers as `user` there, and is called through it. */
  readonly registrar?: { readonly port: number; readonly password: string; readonly expires?: number };
  /** What it offers, in its own names; default PCMU and PCMA. */
  readonly codecs?: string;
  readonly maxSeconds?: number;
  /** What it offers and takes, in its own names: SRTP where the other side can, nothing else, or keys by DTLS. */
  readonly encryption?: 'srtp' | 'srtp-mand' | 'dtls_srtp';
}

/** Whether it can be told to speak SRTP. */
export const speaksSrtp = (): boolean => MODULES.some((path) => existsSync(join(path, 'srtp.so')));

/** Whether it can be told to speak G.722. */
export const speaksG722 = (): boolean => MODULES.some((path) => existsSync(join(path, 'g722.so')));

/**
 * A real SIP phone (baresip) without a sound card: the microphone is a file, what it hears becomes one, and its control
 * socket is driven from here. It ends by itself after `maxSeconds`.
 */
export class Baresip {
  readonly #events: PhoneEvent[] = [];
  #buffer = Buffer.alloc(0);
  #waiters: (() => void)[] = [];
  #said = 0;
  private constructor(
    readonly folder: string,
    readonly sipPort: number,
    private readonly process: ChildProcess,
    private readonly control: Socket,
    private readonly maxSeconds: number,
  ) {
    control.on('data', (chunk) => this.#onData(chunk));
    control.on('error', () => {});
    process.once('exit', () => this.#emit({ type: '_GONE', atMs: Date.now() }));
  }

  static async start(options: PhoneOptions = {}): Promise<Baresip> {
    const folder = mkdtempSync(join(tmpdir(), 'nidaa-phone-'));
    const seconds = options.maxSeconds ?? 60;
    const sipPort = options.sipPort ?? (await freeSipPort());
    const controlPort = await freeTcpPort();
    const rtpPort = await freeUdpRange(64);
    mkdirSync(join(folder, 'rec'));
    const microphone = new Int16Array(8000 * (seconds + 5)); // baresip hangs up when the microphone file ends
    microphone.set((options.microphone ?? new Int16Array(0)).subarray(0, microphone.length));
    writeMicrophone(join(folder, 'mic.wav'), microphone);
    const modules = options.encryption === undefined ? [] : ['srtp', 'dtls_srtp'];
    const { address = '127.0.0.1' } = options;
    const addresses = { address, sipPort, controlPort, rtpPort };
    writeFileSync(join(folder, 'config'), config(folder, addresses, modules) + tlsConfig(options));
    writeFileSync(join(folder, 'contacts'), '');
    writeFileSync(join(folder, 'accounts'), account(options, sipPort, address));
    const log = openSync(join(folder, 'log'), 'w');
    const child = spawn('baresip', [...(isIPv6(address) ? ['-6'] : []), '-f', folder, '-t', String(seconds + 3)], {
      stdio: ['ignore', log, log],
    });
    const control = await connectSoon(controlPort);
    return new Baresip(folder, sipPort, child, control, seconds);
  }

  command(command: string, params = ''): void {
    const json = JSON.stringify({ command, params, token: 't' });
    this.control.write(`${Buffer.byteLength(json)}:${json},`);
  }

  /** Dials and waits for the answer. @returns setup time in ms, or why it failed. */
  async call(uri: string): Promise<number | string> {
    const startedMs = Date.now();
    this.command('dial', uri);
    const event = await this.event(['CALL_ESTABLISHED', 'CALL_CLOSED'], 15_000);
    return event?.type === 'CALL_ESTABLISHED' ? event.atMs - startedMs : (event?.param ?? 'no answer');
  }
  /** Waits for a call and takes it. */
  async answer(withinMs: number): Promise<boolean> {
    if (!(await this.event(['CALL_INCOMING'], withinMs))) return false;
    this.command('accept');
    return (await this.event(['CALL_ESTABLISHED'], 5000)) !== undefined;
  }
  /** Says something now, and is silent after it, in place of what its microphone would have heard. */
  say(samples: Int16Array): void {
    const file = join(this.folder, `said-${this.#said}.wav`);
    this.#said += 1;
    const microphone = new Int16Array(samples.length + 8000 * this.maxSeconds);
    microphone.set(samples);
    writeMicrophone(file, microphone);
    this.command('ausrc', `aufile,${file}`);
  }
  async press(keys: string, gapMs = 250): Promise<void> {
    for (const key of keys) {
      this.command('sndcode', key);
      await sleep(gapMs);
    }
  }
  /** Waits for the other side to end the call. @returns its reason, or undefined when it did not. */
  async closed(withinMs: number): Promise<string | undefined> {
    const event = await this.event(['CALL_CLOSED'], withinMs);
    return event ? (event.param ?? '') : undefined;
  }
  hangup(): void {
    this.command('hangup');
  }
  /** The Call-ID of its call. */
  get sipCallId(): string {
    const { id } = this.#events.find(({ type, id }) => type?.startsWith('CALL_') && id) ?? {};
    if (id === undefined) throw new Error('this phone is in no call');
    return id;
  }
  sawEvent(type: string): boolean {
    return this.#events.some((event) => event.type === type);
  }

  /** The first event of one of these types, also one that came already. */
  async event(types: readonly string[], withinMs: number): Promise<PhoneEvent | undefined> {
    const deadline = Date.now() + withinMs;
    for (;;) {
      const found = this.#events.find((event) => event.type && (types.includes(event.type) || event.type === '_GONE'));
      if (found) return found.type === '_GONE' && !types.includes('_GONE') ? undefined : found;
      const leftMs = deadline - Date.now();
      if (leftMs <= 0) return undefined;
      await Promise.race([new Promise<void>((resolve) => this.#waiters.push(resolve)), sleep(leftMs)]);
    }
  }

  /** Ends the phone and gives what it heard. */
  async finish(): Promise<Heard | undefined> {
    this.command('quit');
    await Promise.race([new Promise((resolve) => this.process.once('exit', resolve)), sleep(4000)]);
    if (this.process.exitCode === null) this.process.kill('SIGKILL');
    const recorded = readdirSync(join(this.folder, 'rec')).find((name) => name.endsWith('-dec.wav'));
    return recorded ? Heard.file(join(this.folder, 'rec', recorded)) : undefined;
  }
  get log(): string {
    return readFileSync(join(this.folder, 'log'), 'utf8');
  }
  dispose(): void {
    if (this.process.exitCode === null) this.process.kill('SIGKILL');
    this.control.destroy();
    rmSync(this.folder, { recursive: true, force: true });
  }

  #onData(chunk: Buffer): void {
    this.#buffer = Buffer.concat([this.#buffer, chunk]);
    for (;;) {
      const match = /^(\d+):/.exec(this.#buffer.subarray(0, 12).toString('latin1'));
      if (!match) return;
      const start = match[0].length;
      const end = start + Number(match[1]);
      if (this.#buffer.length < end + 1) return;
      const json = this.#buffer.subarray(start, end).toString('utf8');
      this.#buffer = this.#buffer.subarray(end + 1);
      try {
        this.#emit({ ...(JSON.parse(json) as object), atMs: Date.now() });
      } catch {
        // Some of its events are not JSON; none of those matter here.
      }
    }
  }
  #emit(event: PhoneEvent): void {
    this.#events.push(event);
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const wake of waiters) wake();
  }
}

/** A phone's settings in a folder, for a phone that is started from elsewhere and dials at once. */
export interface PhoneFolder {
  readonly path: string;
  readonly log: number; // a file descriptor
}

export function phoneFolder(options: {
  readonly address: string;
  readonly microphone: Int16Array;
  readonly seconds: number;
}): PhoneFolder {
  const { address, microphone, seconds } = options;
  const path = mkdtempSync(join(tmpdir(), 'nidaa-phone-'));
  mkdirSync(join(path, 'rec'));
  const said = new Int16Array(8000 * (seconds + 5));
  said.set(microphone.subarray(0, said.length));
  writeMicrophone(join(path, 'mic.wav'), said);
  writeFileSync(join(path, 'config'), config(path, { address, sipPort: 5060, controlPort: 4444, rtpPort: 30_000 }));
  writeFileSync(join(path, 'contacts'), '');
  writeFileSync(join(path, 'accounts'), account({}, 5060, address));
  return { path, log: openSync(join(path, 'log'), 'w') };
}

function account(options: PhoneOptions, sipPort: number, address = '127.0.0.1'): string {
  const transport = options.transport === undefined ? '' : `;transport=${options.transport}`;
  const { registrar } = options;
  const registration = registrar ? `${registrar.expires ?? 120};auth_pass=${registrar.password}` : '0';
  const dtmf = options.infoDtmf ? 'info' : 'rtpevent';
  const user = options.user ?? 'caller';
  const uri = `<sip:${user}@${uriHost(address)}:${registrar?.port ?? sipPort}${transport}>`;
  const codecs = options.codecs ?? 'PCMU,PCMA';
  const encryption = options.encryption ? `;mediaenc=${options.encryption}` : '';
  return `${uri};regint=${registration};audio_codecs=${codecs};answermode=${options.early ? 'early' : 'manual'};dtmfmode=${dtmf}${encryption}\n`;
}

function tlsConfig({ tls }: PhoneOptions): string {
  return tls ? `sip_certificate ${tls.certificate}\nsip_cafile ${tls.authorities}\n` : '';
}

interface PhoneAddresses {
  readonly address: string;
  readonly sipPort: number;
  readonly controlPort: number;
  readonly rtpPort: number;
}

function config(
  folder: string,
  { address, sipPort, controlPort, rtpPort }: PhoneAddresses,
  further: readonly string[] = [],
): string {
  const modules = MODULES.find((path) => existsSync(path)) ?? MODULES[0]!;
  const loaded = [...WANTED, ...further].filter((name) => existsSync(join(modules, `${name}.so`)));
  return `sip_listen ${uriHost(address)}:${sipPort}
net_interface ${address}
call_max_calls 8
module_path ${modules}
audio_player aubridge,spk
audio_source aufile,${join(folder, 'mic.wav')}
audio_alert aubridge,alert
ausrc_srate 8000
auplay_srate 8000
audio_buffer 20-160
audio_telev_pt 101
rtp_ports ${rtpPort}-${rtpPort + 63}
rtcp_enable yes
rtp_timeout 0
jitter_buffer_delay 2-10
snd_path ${join(folder, 'rec')}
ctrl_tcp_listen 127.0.0.1:${controlPort}
module_tmp account.so
module_app menu.so
module_app ctrl_tcp.so
${loaded.map((name) => `module ${name}.so`).join('\n')}
`;
}

async function connectSoon(port: number): Promise<Socket> {
  for (let attempt = 0; attempt < 160; attempt += 1) {
    const socket = await new Promise<Socket | undefined>((resolve) => {
      const trying = connect(port, '127.0.0.1', () => resolve(trying));
      trying.once('error', () => resolve(undefined));
    });
    if (socket) return socket;
    await sleep(50);
  }
  throw new Error('the phone did not start');
}
