import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UdpCaller } from './udp-caller.ts';

const PROGRAM = '/usr/sbin/kamailio';
const MODULES = '/usr/lib/x86_64-linux-gnu/kamailio/modules/';
export const haveKamailio = existsSync(PROGRAM) && existsSync(MODULES);

export interface KamailioTrunk {
  readonly port: number;
  /** Where calls go whose number nobody registered. */
  readonly callee: number;
  readonly user: string;
  readonly password: string;
  readonly realm: string;
}

/** A SIP trunk as a small carrier has it: registrar and proxy with digest over UDP, everything in memory. */
export class Kamailio {
  private constructor(
    private readonly child: ChildProcess,
    private readonly folder: string,
    readonly port: number,
  ) {}

  static async start(trunk: KamailioTrunk): Promise<Kamailio> {
    const folder = mkdtempSync(join(tmpdir(), 'nidaa-kamailio-'));
    writeFileSync(join(folder, 'cfg'), settings(trunk));
    const listen = `udp:127.0.0.1:${trunk.port}`;
    const options = [
      '-f',
      join(folder, 'cfg'),
      '-DD',
      '-E',
      '-l',
      listen,
      '-Y',
      folder,
      '-w',
      folder,
      '-m',
      '32',
      '-M',
      '8',
    ];
    const child = spawn(PROGRAM, options, { stdio: 'ignore', detached: true });
    const kamailio = new Kamailio(child, folder, trunk.port);
    await kamailio.#answers();
    return kamailio;
  }

  /** At once, with all that it knew. */
  async stop(): Promise<void> {
    const gone = new Promise((resolve) => this.child.once('exit', resolve));
    if (this.child.exitCode === null && this.child.signalCode === null && this.child.pid !== undefined) {
      process.kill(-this.child.pid, 'SIGKILL'); // it and its own children
      await gone;
    }
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #answers(): Promise<void> {
    const caller = await new UdpCaller(this.port).open();
    try {
      for (let tries = 0; tries < 100; tries += 1) {
        caller.sendRequest('OPTIONS', { uri: `sip:127.0.0.1:${this.port}` });
        await new Promise((resolve) => setTimeout(resolve, 100));
        if (caller.inbox.some(({ status }) => status === 200)) return;
      }
      throw new Error('kamailio did not start');
    } finally {
      caller.close();
    }
  }
}

const settings = ({ user, password, realm, callee }: KamailioTrunk): string => `#!KAMAILIO
debug=1
log_stderror=yes
fork=yes
children=1
auto_aliases=no
mpath="${MODULES}"
${'tm sl rr pv maxfwd usrloc registrar textops siputils auth'
  .split(' ')
  .map((name) => `loadmodule "${name}.so"`)
  .join('\n')}
modparam("usrloc", "db_mode", 0)
modparam("registrar", "min_expires", 60)
modparam("registrar", "max_expires", 120)
modparam("auth", "nonce_count", 1)
modparam("tm", "fr_timer", 5000)
request_route {
    if (!mf_process_maxfwd_header("10")) { sl_send_reply("483", "Too Many Hops"); exit; }
    if (is_method("CANCEL")) { if (t_check_trans()) t_relay(); exit; }
    if (has_totag()) {
        if (loose_route()) { t_relay(); exit; }
        if (is_method("ACK")) { if (t_check_trans()) t_relay(); exit; }
        sl_send_reply("404", "Not here"); exit;
    }
    if (is_method("OPTIONS")) { sl_send_reply("200", "OK"); exit; }
    if (is_method("REGISTER")) {
        if ($au != "${user}" || !pv_www_authenticate("${realm}", "${password}", "0")) { www_challenge("${realm}", "1"); exit; }
        if (!save("location")) sl_reply_error();
        exit;
    }
    record_route();
    if (is_method("INVITE") && $fU == "${user}") {
        if (!pv_proxy_authenticate("${realm}", "${password}", "0")) { proxy_challenge("${realm}", "1"); exit; }
        consume_credentials();
    }
    if (!lookup("location")) $du = "sip:127.0.0.1:${callee}";
    t_relay();
}
`;
