import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { optionsText, TcpPhone, UdpPhone } from '../support/transport-peer.ts';
import { until } from '../support/until.ts';

/** A server of its own process, with few descriptors; every line written to it is answered with what it counted. */
const CHILD = `
  const { EmbeddedSipServer } = await import(process.argv[1]);
  const quiet = new Proxy({}, { get: () => () => undefined });
  const server = await EmbeddedSipServer.start({
    ...{ host: '127.0.0.1', port: 0, transports: ['udp', 'tcp'], logger: quiet },
    control: { mode: 'listen-tcp', host: '127.0.0.1', port: 0, secret: 'secret' },
  });
  const tell = () => console.log(JSON.stringify({
    ...{ sip: server.listening[0].port, control: server.controlPort, cpu: process.cpuUsage(), stats: server.stats() },
  }));
  process.stdin.on('data', tell);
  tell();
`;
const SERVER = fileURLToPath(new URL('../../dist/sip-server/embedded-server.js', import.meta.url));
/** Node itself takes some twenty, and reads many modules of the server at once when it starts. */
const DESCRIPTORS = 72;

interface Told {
  readonly sip: number;
  readonly control: number;
  readonly cpu: { readonly user: number; readonly system: number }; // microseconds
  readonly stats: { readonly faults: Readonly<Record<string, number>> };
}
let child: ChildProcess;
let lines: AsyncIterator<string>;
const held: Socket[] = [];

async function told(ask = true): Promise<Told> {
  if (ask) child.stdin?.write('\n');
  return JSON.parse((await lines.next()).value as string) as Told;
}
beforeEach(() => {
  const node = `ulimit -n ${DESCRIPTORS}; exec "$0" "$@"`;
  const args = ['-c', node, process.execPath, '--input-type=module', '-e', CHILD, SERVER];
  child = spawn('bash', args, { stdio: ['pipe', 'pipe', 'inherit'] });
  lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
});
afterEach(async () => {
  for (const socket of held.splice(0)) socket.destroy();
  if (child.exitCode !== null) return;
  child.kill();
  await once(child, 'exit');
});

/** Connects until nothing more is taken. */
async function exhaust(port: number): Promise<void> {
  let refused = 0;
  for (let i = 0; i < 3 * DESCRIPTORS; i += 1) {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.on('close', () => {
      refused += 1;
    });
    held.push(socket);
  }
  await until(() => refused > DESCRIPTORS, 'connections above the limit are closed');
}

describe('without a free descriptor', () => {
  it('what is open is served, each attempt for more fails alone, nothing spins, and all is well afterwards', async () => {
    const { sip, control } = await told(false);
    const app = connect(control, '127.0.0.1');
    held.push(app);
    let text = '';
    app.on('data', (segment) => {
      text += segment.toString();
    });
    const frame = (payload: string): string => `${Buffer.byteLength(payload)}#${payload}`;
    app.write(frame('0|authenticate|secret|'));
    await until(() => text.includes('response|0|OK'));
    const peer = createServer((socket) => socket.resume()).listen(0, '127.0.0.1');
    await once(peer, 'listening');
    const { port } = peer.address() as AddressInfo;
    await exhaust(sip);

    const phone = await UdpPhone.open();
    phone.send(optionsText('UDP 127.0.0.1;branch=z9hG4bK1;rport'), sip);
    await until(() => phone.received.length > 0, 'UDP is answered');
    const outward = { tcp: `127.0.0.1:${port};transport=tcp`, name: 'nobody.invalid', probed: '127.0.0.1:9' };
    for (const [id, address] of Object.entries(outward)) {
      app.write(frame(`${id}|sip||\r\nOPTIONS sip:x@${address} SIP/2.0\r\n\r\n`));
      await until(() => text.includes(`response|${id}|`), `the command to ${address} is answered`);
    }
    expect(text).toContain('response|tcp|NOK|requested protocol/transport not available');
    expect(text).toContain('response|name|NOK|requested protocol/transport not available');

    const before = await told();
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const after = await told();
    expect(after.cpu.user + after.cpu.system - before.cpu.user - before.cpu.system).toBeLessThan(500_000);
    expect(Object.values(after.stats.faults).reduce((sum, count) => sum + count)).toBe(0);

    for (const socket of held.splice(1)) socket.destroy();
    const again = await until(async () => {
      const tcp = await TcpPhone.open(sip).catch(() => undefined);
      tcp?.socket.write(optionsText('TCP 127.0.0.1;branch=z9hG4bK2'));
      await new Promise((resolve) => setTimeout(resolve, 200));
      if (tcp?.text.startsWith('SIP/2.0 ')) return tcp;
      tcp?.close();
      return undefined;
    }, 'TCP is served again');
    app.write(frame(`again|sip||\r\nOPTIONS sip:x@${outward.tcp} SIP/2.0\r\n\r\n`));
    await until(() => text.includes('response|again|OK'), 'connections are opened again');
    again.close();
    phone.close();
    peer.close();
    expect(child.exitCode).toBeNull();
  });
});
