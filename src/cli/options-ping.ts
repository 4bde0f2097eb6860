import { createSocket } from 'node:dgram';
import { connect as connectTcp } from 'node:net';
import { connect as connectTls, type SecureVersion } from 'node:tls';
import { type Clock, delay } from '../core/clock.ts';
import { randomToken } from '../core/ids.ts';
import { sourceAddressTo } from '../core/source-address.ts';
import { parseSipUri } from '../sip-server/message/sip-uri.ts';
import { systemResolver } from '../sip-server/transport/dns-resolver.ts';
import { resolveTarget, type Target } from '../sip-server/transport/resolve-target.ts';
import { nameFault } from '../sip-server/transport/stream-endpoints.ts';

/** What a host said to OPTIONS (RFC 3261 §11), or why there is no answer. */
export type PingResult =
  | {
      readonly ok: true;
      readonly status: number;
      readonly phrase: string;
      readonly answerMs: number;
      readonly address: string;
    }
  | { readonly ok: false; readonly why: string; readonly address?: string };

/** Whose certificates are believed, as in section `sip.tls` of the configuration. */
export interface PingTrust {
  readonly ca?: string; // PEM; the public authorities where it is left out
  readonly verifyPeers: boolean;
  readonly wildcardNames: boolean;
  readonly minVersion: SecureVersion;
}

/** Timer E of a non-INVITE transaction (RFC 3261 §17.1.2.2), and when we give up. */
const SEND_AT_MS = [0, 500, 1_500, 3_500] as const;
const PING_MS_MAX = 4_000;
const ANSWER_BYTES_MAX = 65_536;
const STATUS = /^SIP\/2\.0 (\d{3}) ?([^\r\n]{0,100})/;

/**
 * Asks a SIP host whether it is there, from a free port of this process: not from where a gateway sends its calls, so that a
 * host that minds the port may answer otherwise. Any answer counts. Never rejects.
 */
export async function pingHost(uri: string, clock: Clock, trust: PingTrust): Promise<PingResult> {
  const parsed = parseSipUri(uri);
  if (!parsed || typeof parsed === 'string') return { ok: false, why: 'not a SIP URI' };
  const [target] = await resolveTarget(parsed, {
    ...{ resolver: systemResolver(), transports: ['udp', 'tcp', 'tls'], families: [4, 6], random: Math.random },
  });
  if (!target) return { ok: false, why: 'its name has no address' };
  const address = `${target.transport} ${target.address}:${target.port}`;
  const startMs = clock.nowMs();
  const over = new AbortController();
  try {
    const answer = await Promise.race([
      target.transport === 'udp'
        ? overUdp(target, uri, clock, over.signal)
        : overStream(target, uri, trust, over.signal),
      delay(clock, PING_MS_MAX, over.signal).then(() => `no answer in ${PING_MS_MAX / 1000} s`),
    ]);
    const status = STATUS.exec(answer);
    if (!status) return { ok: false, why: answer, address };
    const answerMs = Math.round(clock.nowMs() - startMs);
    return { ok: true, status: Number(status[1]), phrase: status[2] ?? '', answerMs, address };
  } finally {
    over.abort();
  }
}

function request({ transport, address }: Target, uri: string, port: number): string {
  const own = sourceAddressTo(address) ?? '127.0.0.1';
  const host = own.includes(':') ? `[${own}]` : own;
  return [
    `OPTIONS ${uri} SIP/2.0`,
    `Via: SIP/2.0/${transport.toUpperCase()} ${host}:${port};branch=z9hG4bK${randomToken(8)};rport`,
    'Max-Forwards: 70',
    `From: <sip:ping@${host}>;tag=${randomToken(8)}`,
    `To: <${uri}>`,
    `Call-ID: ${randomToken(12)}`,
    'CSeq: 1 OPTIONS',
    `Contact: <sip:ping@${host}:${port};transport=${transport}>`,
    'Accept: application/sdp',
    'Content-Length: 0',
    '\r\n',
  ].join('\r\n');
}

/** @returns the answer, or why there is none. */
function overUdp(target: Target, uri: string, clock: Clock, signal: AbortSignal): Promise<string> {
  return new Promise((resolve) => {
    const socket = createSocket(target.address.includes(':') ? 'udp6' : 'udp4');
    signal.addEventListener('abort', () => socket.close(), { once: true });
    socket.on('error', (error) => resolve(error.message));
    socket.on('message', (message) => {
      const text = message.toString('latin1');
      if (!text.startsWith('SIP/2.0 1')) resolve(text);
    });
    socket.connect(target.port, target.address, async (error?: Error) => {
      if (error) return resolve(error.message);
      const text = request(target, uri, socket.address().port);
      let atMs = 0;
      for (const nextMs of SEND_AT_MS) {
        await delay(clock, nextMs - atMs, signal);
        atMs = nextMs;
        if (signal.aborted) return;
        socket.send(text, (failed) => failed && resolve(failed.message));
      }
    });
  });
}

function overStream(target: Target, uri: string, trust: PingTrust, signal: AbortSignal): Promise<string> {
  return new Promise((resolve) => {
    const { address: host, port, serverName } = target;
    const socket =
      target.transport === 'tls'
        ? connectTls({
            ...{ host, port, minVersion: trust.minVersion, rejectUnauthorized: trust.verifyPeers },
            ...(trust.ca !== undefined && { ca: trust.ca }),
            ...(serverName !== undefined && { servername: serverName }),
            checkServerIdentity: (_name, certificate) =>
              nameFault(serverName ?? host, certificate, trust.wildcardNames),
          })
        : connectTcp({ host, port });
    let heard = '';
    signal.addEventListener('abort', () => socket.destroy(), { once: true });
    socket.on('error', (error) => resolve(error.message));
    socket.on('close', () => resolve('the connection was closed without an answer'));
    socket.on('data', (chunk) => {
      heard = (heard + chunk.toString('latin1')).slice(0, ANSWER_BYTES_MAX);
      if (heard.includes('\r\n\r\n')) resolve(heard);
    });
    const send = (): void => void socket.write(request(target, uri, socket.localPort ?? 0));
    socket.once(target.transport === 'tls' ? 'secureConnect' : 'connect', send);
  });
}
