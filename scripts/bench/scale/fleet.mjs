import { fork } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const NODE = new URL('node.mjs', import.meta.url);

/** One gateway process of the bench, which can be killed and started again on its data folder. */
export class FleetNode {
  #child;
  #number = 0;
  #waiting = new Map();
  complaints = new Map();

  constructor(folder, settings, name, program = NODE) {
    this.name = name;
    this.program = program;
    this.dataFolder = join(folder, name);
    this.settings = { ...settings, dataFolder: this.dataFolder };
    mkdirSync(this.dataFolder, { recursive: true, mode: 0o711 });
  }

  async start() {
    const child = fork(this.program, [], {
      env: { ...process.env, SCALE_NODE: JSON.stringify(this.settings) },
      stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
      detached: true, // a session of its own, as services have: Linux deals the processor out to sessions
    });
    this.#child = child;
    createInterface({ input: child.stderr }).on('line', (line) => this.#heard(line));
    await new Promise((resolve, reject) => {
      child.once('message', resolve);
      child.once('exit', (code) =>
        reject(new Error(`${this.name} ended with ${code} at its start: ${[...this.complaints.keys()]}`)),
      );
    });
    child.on('message', ({ number, result }) => {
      const { resolve, reject } = this.#waiting.get(number) ?? {};
      this.#waiting.delete(number);
      if (result?.error) reject?.(new Error(`${this.name}: ${result.error}`));
      else resolve?.(result);
    });
    child.on('exit', () => {
      for (const { resolve } of this.#waiting.values()) resolve(undefined);
      this.#waiting.clear();
    });
  }

  /** How often it logged what. */
  #heard(line) {
    const { msg, error } = line.startsWith('{') ? JSON.parse(line) : { msg: line };
    const what = [msg, error].filter(Boolean).join(': ');
    this.complaints.set(what, (this.complaints.get(what) ?? 0) + 1);
  }

  /** @returns what it answers; undefined where it was killed meanwhile. */
  ask(command, more = {}) {
    const number = ++this.#number;
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject });
      this.#child.send({ command, number, ...more }, (error) => error && resolve(undefined));
    });
  }

  /** At once, if it lives. */
  async kill() {
    if (this.#child === undefined || this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const gone = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill('SIGKILL');
    await gone;
  }
}
