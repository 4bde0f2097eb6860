import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { Config } from '../../config/load.ts';
import { probeSipServer } from '../../sip/probe-server.ts';
import { sipServerAddress } from '../../sip/srf-wire.ts';
import { type Finding, fail, info, ok, warn } from './finding.ts';
import { bindFault, type Protocol, portHolder, takenUdpPorts } from './port-holders.ts';
import type { RunningGateway } from './running-gateway.ts';

const CONNECT_MS_MAX = 2_000;

/** Calls that the settings allow at once. */
export function linesOf({ media }: Config): number {
  const workers = media.workers === 'auto' ? Math.max(1, availableParallelism() - 1) : media.workers;
  return workers * media.callsPerWorker;
}

/** The ports of SIP, HTTP and RTP: free, or held by our own gateway. */
export async function checkNetwork(config: Config, running: RunningGateway): Promise<Finding[]> {
  const { sip, http, metrics } = config;
  const findings: Finding[] = [];
  if (sip.server === 'embedded') {
    for (const transport of ['udp', 'tcp'] as const) {
      if (!sip.transports.includes(transport)) continue;
      const wish = { check: `SIP ${transport}`, protocol: transport, host: sip.host, port: sip.port } as const;
      findings.push(await checkPort({ ...wish, setting: 'sip', variable: 'NIDAA_SIP_PORT' }, running));
    }
    if (sip.transports.includes('tls')) {
      const port = sip.tls.port ?? (sip.port === 0 ? 0 : sip.port + 1);
      const wish = { check: 'SIP tls', protocol: 'tcp', host: sip.host, port } as const;
      findings.push(await checkPort({ ...wish, setting: 'sip.tls', variable: 'NIDAA_SIP_PORT' }, running));
    }
    findings.push(...reachability(config));
  } else {
    findings.push(await checkSipServer(new URL(sip.server)));
  }
  const wish = { check: 'HTTP', protocol: 'tcp', host: http.host, port: http.port } as const;
  findings.push(await checkPort({ ...wish, setting: 'http', variable: 'NIDAA_HTTP_PORT' }, running));
  const scraped = { check: 'metrics', protocol: 'tcp', host: metrics.host, port: metrics.port } as const;
  const found = await checkPort({ ...scraped, setting: 'metrics', variable: 'NIDAA_METRICS_PORT' }, running);
  findings.push(found.state === 'fail' ? { ...found, state: 'warn' } : found); // the gateway starts without
  findings.push(...(await checkRtp(config)));
  return findings;
}

interface PortWish {
  readonly check: string;
  readonly protocol: Protocol;
  readonly host: string;
  readonly port: number;
  readonly setting: string; // sip, http
  readonly variable: string;
}

async function checkPort(wish: PortWish, running: RunningGateway): Promise<Finding> {
  const { check, protocol, host, port, setting, variable } = wish;
  const where = `${protocol} ${host}:${port}`;
  const fault = await bindFault(protocol, host, port);
  if (fault === undefined) return ok(check, port === 0 ? `${where}: any free port is taken` : `${where} is free`);
  if (fault === 'EADDRINUSE') {
    const holder = portHolder(protocol, port);
    if (holder && running.pids.has(holder.pid)) return ok(check, `${where} is held by the running gateway`);
    const who = holder ? `process ${holder.pid} (${holder.command})` : 'a program of another user';
    return fail(
      check,
      `${where} is in use by ${who}`,
      `Stop that program, or choose another port: ${setting}.port or ${variable}.`,
    );
  }
  if (fault === 'EADDRNOTAVAIL' || fault === 'ENOTFOUND') {
    return fail(
      check,
      `${host} is no address of this machine`,
      `Set ${setting}.host or NIDAA_HOST to one of its own: \`ip address\` lists them.`,
    );
  }
  if (fault === 'EACCES') {
    return fail(
      check,
      `${where} needs a privilege that we lack`,
      `Choose a port from 1024 on (${variable}), or give CAP_NET_BIND_SERVICE.`,
    );
  }
  return fail(check, `${where} cannot be opened: ${fault}`, `Check ${setting}.host and ${setting}.port.`);
}

/** Who can call at all, as the address we listen on decides. */
function reachability({ sip }: Config): Finding[] {
  if (/^127\.|^::1$/.test(sip.host)) {
    return [
      info(
        'reach',
        'only phones on this machine can call',
        'Set sip.host or NIDAA_HOST to an address of this machine to be reached from the network.',
      ),
    ];
  }
  if ((sip.host === '0.0.0.0' || sip.host === '::') && !sip.externalAddress) {
    return [
      info(
        'reach',
        `on ${sip.host} every call is told the address of this machine that it reached`,
        'Behind NAT, set sip.externalAddress to the address callers reach.',
      ),
    ];
  }
  return [];
}

async function checkRtp(config: Config): Promise<Finding[]> {
  const { min, max } = config.media.rtpPorts;
  const lines = linesOf(config);
  const pairs = Math.floor((max - min + 1) / 2);
  const taken = takenUdpPorts(min, max);
  const fault = await bindFault('udp', config.sip.host, 0);
  if (fault !== undefined) return []; // The SIP check says the same of the same address.
  const free = pairs - new Set([...(taken ?? [])].map((port) => port >> 1)).size;
  const detail = `udp ${min}-${max}: ${free} of ${pairs} pairs free, for up to ${lines} calls`;
  const widen = 'Widen media.rtpPorts or NIDAA_RTP_PORTS (two ports a call), and open them in the firewall.';
  const findings = [
    free === 0 ? fail('RTP', detail, widen) : free < lines ? warn('RTP', detail, widen) : ok('RTP', detail),
  ];
  const own = ephemeralRange();
  if (own && min <= own.max && max >= own.min) {
    findings.push(
      warn(
        'RTP',
        `the range overlaps ${own.min}-${own.max}, from which the system gives ports to other programs`,
        `Choose a range below ${own.min}, or reserve it: sysctl net.ipv4.ip_local_reserved_ports=${min}-${max}.`,
      ),
    );
  }
  return findings;
}

function ephemeralRange(): { readonly min: number; readonly max: number } | undefined {
  try {
    const [min, max] = readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').trim().split(/\s+/).map(Number);
    return min && max ? { min, max } : undefined;
  } catch {
    return undefined;
  }
}

/** A drachtio-server: whether it is there, and takes our secret. */
async function checkSipServer(url: URL): Promise<Finding> {
  const check = 'SIP server';
  const address = sipServerAddress(url);
  const where = `${address.host}:${address.port}`;
  const found = await probeSipServer(address, CONNECT_MS_MAX);
  switch (found.state) {
    case 'taken': {
      const listens = found.listens.map((at) => `${at.transport} ${at.address}:${at.port}`).join(', ');
      return ok(check, `${where} is a drachtio-server ${found.version} and takes our secret; it listens on ${listens}`);
    }
    case 'refused':
      return fail(check, `${where} refuses our secret`, 'Put the secret of its <admin> section into sip.server.');
    case 'silent':
      return fail(check, `${where} takes connections and says nothing`, 'Is a drachtio-server behind that port?');
    case 'away':
      return fail(check, `${where} does not answer: ${found.why}`, 'Start it, or correct sip.server.');
  }
}
