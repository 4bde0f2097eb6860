import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UdpCaller } from './udp-caller.ts';

const PROGRAM = '/usr/sbin/kamailio';
const MODULES = '/usr/lib/x86_64-linux-gnu/kamailio/modules/';
export const haveKamailio = existsSync(PROGRAM) && existsSync(MODULES);
/** Its module for TLS is a Debian package of its own. */
export const haveKamailioTls = haveKamailio && existsSync(`${MODULES}tls.so`);

export interface KamailioTrunk {
  readonly port: number;
  /** Over TLS on the same port, too, with this certificate. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
  /** Where calls go whose number nobody registered. */
  readonly callee: number;
  readonly user: string;
  readonly password: string;
  readonly realm: string;
}

/**
 * A SIP trunk as a small carrier has it: registrar and proxy with digest, everything in memory. Who registered over a connection is
 * called by that connection and no other.
 */
export class Kamailio {
  private constructor(
    private readonly child: ChildProcess,
    private readonly folder: string,
    readonly port: number,
  ) {}

  static async start(trunk: KamailioTrunk): Promise<Kamailio> {
    const folder = mkdtempSync(join(tmpdir(), 'nidaa-kamailio-'));
    const { tls } = trunk;
    writeFileSync(join(folder, 'cfg'), settings(trunk, folder));
    if (tls) {
      writeFileSync(join(folder, 'cert.pem'), tls.cert);
      writeFileSync(join(folder, 'key.pem'), tls.key);
    }
    const at = `127.0.0.1:${trunk.port}`;
    const options = ['-f', join(folder, 'cfg'), '-DD', '-E', '-l', `udp:${at}`, ...(tls ? ['-l', `tls:${at}`] : [])];
    const memory = ['-Y', folder, '-w', folder, '-m', '32', '-M', '8'];
    const child = spawn(PROGRAM, [...options, ...memory], { stdio: 'ignore', detached: true });
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

const tlsSettings = (folder: string): string => `enable_tls=yes
tcp_children=1
loadmodule "tls.so"
modparam("tls", "tls_method", "TLSv1.2+")
modparam("tls", "certificate", "${folder}/cert.pem")
modparam("tls", "private_key", "${folder}/key.pem")
`;

const settings = ({ user, password, realm, callee, tls }: KamailioTrunk, folder: string): string => `#!KAMAILIO
debug=1
log_stderror=yes
fork=yes
children=1
auto_aliases=no
mpath="${MODULES}"
${tls ? tlsSettings(folder) : ''}${'tm sl rr pv maxfwd usrloc registrar textops siputils auth nathelper'
  .split(' ')
  .map((name) => `loadmodule "${name}.so"`)
  .join('\n')}
modparam("usrloc", "db_mode", 0)
modparam("registrar", "min_expires", 60)
modparam("registrar", "max_expires", 120)
modparam("registrar|nathelper", "received_avp", "$avp(received)")
modparam("auth", "nonce_count", 1)
modparam("tm", "fr_timer", 5000)
request_route {
    if (!mf_process_maxfwd_header("10")) { sl_send_reply("483", "Too Many Hops"); exit; }
    if (is_method("CANCEL")) { if (t_check_trans()) t_relay(); exit; }
    if (has_totag()) {
        if (loose_route()) { handle_ruri_alias(); t_relay(); exit; }
        if (is_method("ACK")) { if (t_check_trans()) t_relay(); exit; }
        sl_send_reply("404", "Not here"); exit;
    }
    if (is_method("OPTIONS")) { sl_send_reply("200", "OK"); exit; }
    if (is_method("REGISTER")) {
        if ($au != "${user}" || !pv_www_authenticate("${realm}", "${password}", "0")) { www_challenge("${realm}", "1"); exit; }
        if (proto != UDP) fix_nated_register();
        if (!save("location")) sl_reply_error();
        exit;
    }
    record_route();
    if (is_method("INVITE") && $fU == "${user}") {
        if (!pv_proxy_authenticate("${realm}", "${password}", "0")) { proxy_challenge("${realm}", "1"); exit; }
        consume_credentials();
    }
    if (!lookup("location")) $du = "sip:127.0.0.1:${callee}";
    else if ($du =~ "transport=tls") set_forward_no_connect();
    if (proto != UDP) set_contact_alias();
    t_on_reply("answers");
    t_relay();
}
onreply_route[answers] {
    if (proto != UDP) set_contact_alias();
}
`;
