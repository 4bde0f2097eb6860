import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const SOURCE = fileURLToPath(new URL('./whole-load.c', import.meta.url));
/** Between the ports on which gateways of benches serve, which no caller may offer, and those that the system gives out by itself. */
export const LOAD_PORTS = { min: 22_000, max: 32_000 };
const ANSWER_MS_MAX = 10_000;

/** The program that speaks and listens for many callers, compiled. */
export class RtpProgram {
  #folder = mkdtempSync(join(tmpdir(), 'nidaa-whole-'));
  #file = join(this.#folder, 'whole-load');

  constructor() {
    execFileSync('cc', ['-O2', '-o', this.#file, SOURCE], { stdio: 'inherit' });
  }

  /** Starts it with ports for so many calls. */
  async start(calls) {
    const args = [calls, LOAD_PORTS.min, LOAD_PORTS.max].map(String);
    const load = new RtpLoad(spawn(this.#file, args, { stdio: ['pipe', 'pipe', 'inherit'] }));
    load.ports = (await load.next()).ports;
    return load;
  }

  close() {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Callers' audio: one port for each call. */
class RtpLoad {
  ports = [];
  #lines;
  #exited;
  constructor(child) {
    this.child = child;
    this.#exited = once(child, 'exit');
    this.#lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    child.stdin.on('error', () => {}); // it ended: the next answer is missing, and that is told
  }

  get pid() {
    return this.child.pid;
  }

  /** Counts since its start. */
  look() {
    return this.#ask('l');
  }

  /** Counts and times since the last window. */
  window() {
    return this.#ask('w');
  }

  /** Counts and times of everything, call by call; it is over then. Without an answer it is killed. */
  async end() {
    const told = await this.#ask('q').catch(() => undefined);
    if (!told) this.child.kill('SIGKILL');
    await this.#exited;
    return told;
  }

  #ask(order) {
    this.child.stdin.write(order);
    return this.next();
  }

  /** The next line that it prints. */
  async next() {
    let timer;
    const late = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error('whole-load does not answer')), ANSWER_MS_MAX);
    });
    try {
      const { value, done } = await Promise.race([this.#lines.next(), late]);
      if (done) throw new Error(`whole-load ended with ${this.child.exitCode ?? this.child.signalCode}`);
      return JSON.parse(value);
    } finally {
      clearTimeout(timer);
    }
  }
}
