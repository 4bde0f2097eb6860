import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SipSocketParts } from '../api/sip-socket.ts';
import type { Admit } from '../call/admission.ts';
import { type CallEnd, callEnd } from '../call/call-end.ts';
import type { CallRegistry } from '../call/call-registry.ts';
import type { Leg, LegInfo } from '../call/leg.ts';
import type { Config } from '../config/load.ts';
import { addressFilter } from '../core/address-filter.ts';
import { delay, systemClock } from '../core/clock.ts';
import { errorText, OperatorError } from '../core/errors.ts';
import { randomToken } from '../core/ids.ts';
import type { Logger } from '../core/logger.ts';
import type { Metrics } from '../core/metrics.ts';
import { sentence } from '../core/notice.ts';
import type { LadderRecord, SipTrace } from '../core/sip-ladder.ts';
import type { MediaEdge } from '../media/edge/media-edge.ts';
import { carriesAudio } from '../media/rtp/rtp-session.ts';
import { LadderBook } from '../sip/ladder/ladder-book.ts';
import { countMessages } from '../sip/message-counts.ts';
import { type HostPort, type OwnPorts, ownEndpoints, parseHostports } from '../sip/own-endpoints.ts';
import { SipServer, type SipServerConnection, type SipServerOptions } from '../sip/server.ts';
import { uriHost } from '../sip/sip-uri.ts';
import { sipServerAddress } from '../sip/srf-wire.ts';
import { EmbeddedSipServer } from '../sip-server/embedded-server.ts';
import type { HepSettings } from '../sip-server/hep/hep-client.ts';
import { RATE_LIMITS } from '../sip-server/transport/rate-guard.ts';
import { TargetResolver } from '../sip-server/transport/resolve-target.ts';
import type { TransportOptions } from '../sip-server/transport/transport-layer.ts';
import { TRANSPORTS } from '../sip-server/transport/transports.ts';
import { publicHops } from './public-hop.ts';
import { openCertificate, type SipCertificate } from './sip-certificate.ts';

/** Both ends of signalling: our application end, and (by default) the SIP server it talks to. */
export interface Signalling {
  readonly sip: SipServer;
  readonly address: string; // host:port, as the SIP server itself says; the host alone while it is away
  readonly connected: boolean;
  /** Why no call comes in, or undefined. */
  readonly problem: string | undefined;
  /** Takes SIP over WebSocket; undefined where it is not served. */
  readonly sockets: SipSocketParts | undefined;
  /** What an operator must know of it at the start. */
  readonly notes: readonly string[];
  drain(): void;
  close(): Promise<void>;
}

export interface SignallingOptions {
  readonly config: Config;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly registry: CallRegistry;
  readonly edge: MediaEdge | undefined;
  readonly onCall: (leg: Leg) => void;
  /** @returns the id of the call that the leg is part of now. Never rejects. */
  readonly onReplaces: (leg: Leg, replaced: Leg) => Promise<string | undefined>;
  readonly admit: Admit;
  /** A call refused before there was a leg. */
  readonly onRefused: (info: LegInfo, end: CallEnd) => void;
  /** Where the SIP messages of calls are kept. */
  readonly keepLadders: (ladders: readonly LadderRecord[]) => Promise<void>;
  readonly prove: NonNullable<SipServerOptions['prove']>;
  readonly registrar: NonNullable<SipServerOptions['registrar']>;
  readonly encryptionOf: NonNullable<SipServerOptions['encryptionOf']>;
  /** Why no call comes in yet. */
  readonly closed: () => CallEnd | undefined;
  readonly away: NonNullable<SipServerOptions['away']>;
}

/** A SIP server that is elsewhere is waited for this long at start, so that it can be said where it listens. */
const MEET_MS_MAX = 3_000;

export async function openSignalling({
  config,
  logger,
  metrics,
  registry,
  edge,
  onCall,
  onReplaces,
  admit,
  onRefused,
  keepLadders,
  prove,
  registrar,
  encryptionOf,
  closed,
  away,
}: SignallingOptions): Promise<Signalling> {
  const { sip: settings } = config;
  const secret = randomToken(32);
  const connection = connectionFor(config, secret);
  const busy = callEnd('gateway', 'busy', sentence('full.every-line'));
  const points = (): readonly HostPort[] => embedded?.listening ?? parseHostports(sip.hostports);
  let embedded: EmbeddedSipServer | undefined;
  const ladders = new LadderBook({ clock: systemClock, logger, keep: keepLadders });
  const trace = countMessages(metrics, ladders.trace);
  const sip: SipServer = new SipServer({
    ...{
      connection,
      clock: systemClock,
      logger,
      transferDomain: '',
      onCall,
      onReplaces: (leg: Leg, replaced: Leg) =>
        void onReplaces(leg, replaced).then((id) => id && ladders.belongs(leg.info.sipCallId, id)),
      trace,
      onDialled: (callId: string, sipCallId: string) => ladders.belongs(sipCallId, callId),
    },
    policy: {
      isOurs: ownEndpoints(ownPorts(config, points)),
      carries: carriesAudio,
      dtmf: settings.dtmf,
    },
    ...{ admit, prove, registrar, encryptionOf },
    availability: () => {
      if (registry.draining) return callEnd('gateway', 'draining');
      const silent = edge?.problem;
      return (
        closed() ?? (registry.full ? busy : silent === undefined ? undefined : callEnd('gateway', 'no-engine', silent))
      );
    },
    ...(edge && { edge }),
    away,
    // The embedded server keeps session timers, and away from what is not public, by itself.
    ...(connection.mode === 'connect' && {
      hopFor: publicHops(new TargetResolver({ transports: ['udp', 'tcp', 'tls'] }), systemClock),
      sessionTimers: { sessionSeconds: settings.sessionExpiresSeconds, minSeconds: settings.minSessionExpiresSeconds },
    }),
    onRefused: (info, end) => {
      metrics.callsEnded.inc({ party: end.party, reason: end.reason });
      logger.info({ reason: end.reason, detail: end.detail, sipCallId: info.sipCallId }, 'call refused');
      onRefused(info, end);
    },
    onAnswered: (ms) => metrics.inviteToAnswerSeconds.observe(ms / 1000),
  });
  const certificate = wantsTls(config) ? openCertificate(config, systemClock, logger) : undefined;
  await sip.start();
  embedded =
    connection.mode === 'listen'
      ? await openEmbedded(config, logger, connection, sip, { certificate, trace })
      : undefined;
  if (connection.mode === 'connect') await meet(sip, connection, logger);
  const part = embedded;
  return {
    sip,
    get address() {
      const [own] = part?.listening ?? [];
      if (own) return dialledAt(own);
      const [first] = points();
      if (first) return `${uriHost(first.address)}:${first.port}`;
      return connection.mode === 'connect' ? connection.host : `${settings.host}:${settings.port}`;
    },
    get connected() {
      return sip.connected;
    },
    get problem() {
      return problemOf(sip, connection);
    },
    drain: () => {
      sip.drain();
      part?.drain();
    },
    sockets: part && socketDoor(config, part),
    notes: [...secureAddresses(part), ...(certificate?.notes ?? [])],
    close: async () => {
      certificate?.close();
      await sip.close();
      await part?.close();
      await ladders.close();
    },
  };
}

/** Why no call comes in, for `readyz` and the log. */
function problemOf(sip: SipServer, connection: SipServerConnection): string | undefined {
  if (sip.connected) return undefined;
  if (connection.mode === 'listen') return sentence('part.no-sip-server');
  const address = `${connection.host}:${connection.port}`;
  return sentence(sip.refused ? 'part.sip-server-refuses' : 'part.sip-server-silent', { address });
}

/** `points`: where SIP is listened on now. */
function ownPorts({ sip, http, metrics, media }: Config, points: () => readonly HostPort[]): OwnPorts {
  const { externalAddress: external } = sip;
  return {
    rtp: media.rtpPorts,
    services: () => [sip.port, http.port, metrics.port, ...points().map(({ port }) => port)],
    addresses: () => [...(external === undefined ? [] : [external]), ...points().map(({ address }) => address)],
  };
}

function connectionFor(config: Config, secret: string): SipServerConnection {
  const { server } = config.sip;
  if (server === 'embedded') return { mode: 'listen', unixSocketPath: socketPath(config.dataDir), secret };
  return { mode: 'connect', ...sipServerAddress(new URL(server)) };
}

/** A socket path may hold 107 bytes; a data folder deep down is longer than that. */
function socketPath(dataDir: string): string {
  const inside = join(dataDir, 'sip.sock');
  return Buffer.byteLength(inside) <= 100 ? inside : join(tmpdir(), `nidaa-${randomToken(8)}.sock`);
}

async function openEmbedded(
  config: Config,
  logger: Logger,
  connection: Extract<SipServerConnection, { mode: 'listen' }>,
  sip: SipServer,
  { certificate, trace }: { readonly certificate: SipCertificate | undefined; readonly trace: SipTrace },
): Promise<EmbeddedSipServer> {
  const { sip: s } = config;
  const { secret, unixSocketPath } = connection;
  try {
    const server = await EmbeddedSipServer.start({
      ...{
        host: s.host,
        port: s.port,
        transports: s.transports,
        logger,
        clock: systemClock,
        serverName: s.serverHeader,
      },
      ...(s.hep.server !== 'none' && { capture: captureServer(s.hep) }),
      ...(certificate && { tls: tlsOptions(s.tls, certificate) }),
      ...(s.externalAddress && { externalAddress: s.externalAddress }),
      trace,
      control: { mode: 'dial', unixSocketPath, secret },
      transportLimits: { rate: { ...RATE_LIMITS, perSecond: s.rateLimitPerSecond, burst: s.rateLimitBurst } },
      // Who is named is a trunk: it may send as much as it has calls.
      ...(s.allowedSources.length > 0 && { trusted: addressFilter(s.allowedSources) }),
      limits: { unacknowledgedMax: s.unacknowledgedCallsMax },
      sessionTimers: { sessionSeconds: s.sessionExpiresSeconds, minSeconds: s.minSessionExpiresSeconds },
    });
    await sip.ready();
    return server;
  } catch (error) {
    certificate?.close();
    await sip.close();
    const hint = 'Is another SIP program running? Set NIDAA_SIP_PORT to use another port.';
    throw new OperatorError(`Cannot listen for SIP on ${s.host}:${s.port}: ${errorText(error)}. ${hint}`, {
      cause: error,
    });
  }
}

/** What a phone dials: with the transport, where that is not what it would take by itself. */
function dialledAt({ transport, address, port }: EmbeddedSipServer['listening'][number]): string {
  const { namedInContact, uriName } = TRANSPORTS[transport];
  return `${uriHost(address)}:${port}${namedInContact ? `;transport=${uriName}` : ''}`;
}

/** Where SIP over TLS is taken, which the numbers of the start report do not say. */
function secureAddresses(server: EmbeddedSipServer | undefined): string[] {
  const listening = server?.listening.filter(({ transport }) => TRANSPORTS[transport].secure) ?? [];
  return listening.map(({ address, port }) => `SIP over TLS: sips:NUMBER@${uriHost(address)}:${port}`);
}

function socketDoor({ sip, api }: Config, server: EmbeddedSipServer): SipSocketParts | undefined {
  const [plain, secure] = [sip.transports.includes('ws'), sip.transports.includes('wss')];
  if (!plain && !secure) return undefined;
  const { corsOrigins } = api;
  return {
    ...{ clock: systemClock, plain, secure, corsOrigins },
    accept: (socket, { isSecure, ...peer }) =>
      server.acceptSocket(socket, { ...peer, transport: isSecure ? 'wss' : 'ws' }),
  };
}

const wantsTls = ({ sip }: Config): boolean => sip.server === 'embedded' && sip.transports.includes('tls');

function tlsOptions(tls: Config['sip']['tls'], { files: [first, ...others] }: SipCertificate): TransportOptions['tls'] {
  const { port, minVersion, clientCertificates, verifyPeers, wildcardNames } = tls;
  return {
    ...{ credentials: first.credentials, others: others.map(({ credentials }) => credentials) },
    ...{ minVersion, clientCertificates, wildcardNames },
    rejectUnauthorized: verifyPeers,
    ...(port !== undefined && { port }),
  };
}

function captureServer({ server, captureId, password }: Config['sip']['hep']): HepSettings {
  const { protocol, hostname, port } = new URL(server);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  return { reliable: protocol === 'tcp:', host, port: Number(port), captureId, password };
}

/** A server that is away does not keep the gateway from starting: calls come when it does. */
async function meet(sip: SipServer, connection: SipServerConnection, logger: Logger): Promise<void> {
  const late = new AbortController();
  await Promise.race([sip.ready(), delay(systemClock, MEET_MS_MAX, late.signal)]);
  late.abort();
  const problem = problemOf(sip, connection);
  if (problem) logger.error({ problem }, 'not ready for calls: the SIP server is looked for on');
}
