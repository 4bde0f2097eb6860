import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';

/** A network of its own, as a machine in another room has it. It is gone when its process ends. */
export class Network {
  readonly #holder: ChildProcess;
  constructor(secondsMax = 180) {
    this.#holder = spawn('unshare', ['--net', 'sleep', String(secondsMax)], { stdio: 'ignore' });
  }

  /** Resolves when it is there. */
  async open(): Promise<this> {
    const isApart = (): boolean =>
      spawnSync('sh', ['-c', `[ "$(readlink /proc/${this.#holder.pid}/ns/net)" != "$(readlink /proc/$$/ns/net)" ]`])
        .status === 0;
    for (let tries = 0; !isApart(); tries += 1) {
      if (tries > 200) throw new Error('no network of its own');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    this.ip('link set lo up');
    return this;
  }

  /** Runs a program in it: what goes before its command line. */
  get within(): readonly string[] {
    return ['nsenter', '--net', '--target', String(this.#holder.pid)];
  }
  ip(command: string): void {
    this.run(['ip', ...command.split(' ')]);
  }
  run(command: readonly string[]): void {
    const [program = '', ...args] = [...this.within, ...command];
    execFileSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  }

  /** A cable to another one, with an address at each end: `192.0.2.1/24`. */
  join(other: Network, ownAddress: string, itsAddress: string): void {
    const name = `v${Math.random().toString(36).slice(2, 10)}`;
    this.ip(`link add ${name} type veth peer name p${name} netns ${other.#holder.pid}`);
    this.ip(`address add ${ownAddress} dev ${name}`);
    this.ip(`link set ${name} up`);
    other.ip(`address add ${itsAddress} dev p${name}`);
    other.ip(`link set p${name} up`);
  }

  close(): void {
    this.#holder.kill('SIGKILL');
  }
}

/** Whether this user may make networks here. */
export function canMakeNetworks(): boolean {
  return spawnSync('unshare', ['--net', 'ip', 'link', 'add', 'v0', 'type', 'veth', 'peer', 'name', 'v1']).status === 0;
}
