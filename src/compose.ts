import { existsSync, mkdirSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { buildApp } from './api/app.ts';
import { SIP_SOCKET_PATH } from './api/sip-socket.ts';
import { Billing } from './billing/billing.ts';
import { callEnd } from './call/call-end.ts';
import { CallRegistry } from './call/call-registry.ts';
import { CallTicker } from './call/call-ticker.ts';
import { Reception, type ReceptionDeps } from './call/reception.ts';
import { callAnalyst } from './compose/call-analyst.ts';
import { agentSpeech, conversationParts } from './compose/conversation-parts.ts';
import { watchFreedMemory } from './compose/freed-memory.ts';
import { callGauges, Gauges } from './compose/gauges.ts';
import { HoldMusic } from './compose/hold-music.ts';
import { openManagement } from './compose/management.ts';
import { openMedia } from './compose/media.ts';
import { openMediaEdge } from './compose/media-edge.ts';
import { dialTerms, encryptionNotes, termsOf } from './compose/media-encryption.ts';
import { openMetrics } from './compose/metrics-listener.ts';
import { NodeReport } from './compose/node-report.ts';
import { startOutbound } from './compose/outbound.ts';
import { openPhones, type PhoneParts } from './compose/phone-parts.ts';
import { compileAgents } from './compose/prepare-agents.ts';
import { openPublicApi } from './compose/public-api.ts';
import { readiness } from './compose/readiness.ts';
import { readyAgents } from './compose/ready-agents.ts';
import { openRecordings, recordingSeal } from './compose/recordings.ts';
import { openRedis, redisNotes } from './compose/redis.ts';
import { rememberedSpeech } from './compose/remembered-speech.ts';
import { drainMsOf, ServiceState } from './compose/service-state.ts';
import { openSignalling, type Signalling } from './compose/signalling.ts';
import { speechNotes } from './compose/speech-notes.ts';
import { streamCalls } from './compose/stream-calls.ts';
import { toolNotes } from './compose/tool-notes.ts';
import { openTracing } from './compose/tracing.ts';
import { openTrunks, type TrunkParts } from './compose/trunk-parts.ts';
import { TrunkWatch } from './compose/trunk-watch.ts';
import { voiceNotes } from './compose/voice-notes.ts';
import { startWebhooks } from './compose/webhooks.ts';
import { loadLexicon } from './config/lexicon.ts';
import type { Config } from './config/load.ts';
import { loadPrices } from './config/prices.ts';
import { loadVoices, type VoiceCatalogue } from './config/voices.ts';
import type { AgentDefinition } from './core/agent.ts';
import { systemClock } from './core/clock.ts';
import { Descriptors } from './core/descriptors.ts';
import { ErrorRing } from './core/error-ring.ts';
import { errorText, OperatorError } from './core/errors.ts';
import type { Logger } from './core/logger.ts';
import { createMetrics } from './core/metrics.ts';
import { SpareDescriptors } from './core/spare-descriptors.ts';
import { AgentLibrary, type LibrarySource } from './engines/document/library/agent-library.ts';
import { createDocumentReader } from './engines/document/retrieval-reader.ts';
import { EngineSet } from './engines/engine-set.ts';
import { McpServers } from './engines/mcp/mcp-servers.ts';
import { createToolFetcher } from './engines/reply/tool-fetcher.ts';
import { Jobs } from './jobs/queues.ts';
import { useOwnWords } from './language/own-words.ts';
import { LiveFeed } from './manage/live-feed.ts';
import { liveBook, liveOrder, liveRefusals, liveTrunkStates, liveWords } from './manage/live-sources.ts';
import { RtpSession } from './media/rtp/rtp-session.ts';
import { chooseSrtp } from './media/srtp/choose-srtp.ts';
import { budgetOf } from './store/connection-budget.ts';
import { Store } from './store/store.ts';
import { withStreamBridges } from './streams/stream-bridge.ts';
import { Streams } from './streams/streams.ts';
import { isOwnAddress, OwnTests } from './trunks/own-tests.ts';

const RECORDINGS = 'recordings';
/** Quicker than that of a conversation: who answers is judged by pauses of half a second. */
const OPENING_VAD = { startMs: 60, hangoverMs: 120 };
/** Of documents that agents are given: one after another. */
const AGENTS_READER = { threads: 1, largeAtOnce: 1, queue: 4 };

export interface Gateway {
  readonly config: Config;
  readonly store: Store;
  readonly voices: VoiceCatalogue; // those of the configuration
  readonly sipAddress: string; // host:port callers dial
  readonly apiAddress: string; // http://host:port
  readonly notes: readonly string[]; // what an operator must know, for the start report
  readonly metricsAddress: string | undefined; // http://host:port/metrics, unless its port was taken
  /** Trunks that were stored a moment ago are in force. Never rejects. */
  refreshTrunks(): Promise<void>;
  /** Has the agents that can be dialled compiled, in steps beside whatever happens. Never rejects. */
  compileAgents(): Promise<void>;
  /** Agents that came with it, for others to be begun with. */
  offerAgents(shipped: readonly AgentDefinition[]): void;
  /** Has the agents that can be dialled ready before anybody dials them. Never rejects. */
  prepareAgents(): Promise<void>;
  open(): Promise<void>; // calls come in from now on
  /** Refuses what is new, lets what lives end, then closes everything. Idempotent. */
  close(): Promise<void>;
  /** What `close` still waits for ends now. */
  hurry(): void;
}

/**
 * Builds the whole gateway and starts it. What was started is closed again when a later part fails.
 *
 * @param errors - hears what `logger` writes, for the management API.
 * @param onNode - is told the name of this node, as soon as it has one, for `logger`.
 * @param openPlane - what carries the audio of calls; whoever measures the rest alone gives another.
 */
export async function startGateway(
  config: Config,
  logger: Logger,
  version: string,
  errors = new ErrorRing(),
  onNode: (name: string) => void = () => {},
  openPlane = openMedia,
): Promise<Gateway> {
  const parts: (() => Promise<unknown>)[] = [];
  const closeAll = async (): Promise<void> => {
    for (const close of parts.splice(0).reverse()) {
      await close().catch((error: unknown) => logger.error({ error: errorText(error) }, 'closing a part failed'));
    }
  };
  const started = <T>(part: T, close: (part: T) => Promise<unknown>): T => {
    parts.push(() => close(part));
    return part;
  };
  try {
    return await build(config, { logger, errors, version, onNode, openPlane }, started, closeAll);
  } catch (error) {
    await closeAll();
    throw error;
  }
}

interface Given {
  readonly logger: Logger;
  readonly errors: ErrorRing;
  readonly version: string;
  readonly onNode: (name: string) => void;
  readonly openPlane: typeof openMedia;
}

type Started = <T>(part: T, close: (part: T) => Promise<unknown>) => T;

async function build(
  config: Config,
  { logger, errors, version, onNode, openPlane }: Given,
  started: Started,
  closeAll: () => Promise<void>,
): Promise<Gateway> {
  const metrics = createMetrics();
  const srtp = chooseSrtp();
  const clock = systemClock;
  const descriptors = new Descriptors(clock);
  started(new SpareDescriptors(clock), async (spare) => spare.close());
  const voices = loadVoices(config.paths.voicesFile);
  useOwnWords(loadLexicon(config.paths.lexiconDir));
  const prices = loadPrices(config.paths.pricesFile);
  mkdirSync(join(config.dataDir, RECORDINGS), { recursive: true, mode: 0o700 });
  const remember = await rememberedSpeech({ dataDir: config.dataDir, clock, logger, metrics });
  const opening = openStore(config, logger).then((store) => {
    onNode(store.gateways.node);
    return started(store, (s) => s.close());
  });
  const source = async (): Promise<LibrarySource> => (await opening).agentDocuments;
  const library = started(new AgentLibrary({ clock, logger, source }), (l) => l.close());
  const servers = started(new McpServers(config.engines.mcp, { clock, logger, version }), (s) => s.close());
  const [store, engines, media] = await Promise.all([
    opening,
    EngineSet.open(config.engines, {
      ...{ clock, logger, metrics, servers, cacheDir: join(config.dataDir, 'cache') },
      fetcher: createToolFetcher(config.engines.httpTools),
      ...{ speechStyle: config.text, remember, documents: library },
    }).then((set) => started(set, (s) => s.close())),
    openPlane(config, srtp, logger, metrics).then((plane) => started(plane, (p) => p.close())),
  ]);
  let written: Pick<Jobs, 'callWritten'> | undefined; // Made after billing, which may write records before that: the caretaker finds those.
  const billing = started(
    await Billing.open({
      ...{ store, dataFolder: config.dataDir, logger, metrics, prices, lease: config.node },
      recordingOf: (callId) =>
        existsSync(join(config.dataDir, recordingPath(callId))) ? recordingPath(callId) : undefined,
      onCallWritten: (call) => written?.callWritten(call),
    }),
    (b) => b.close(),
  );
  const { library: recordings, work: recordingWork } = started(
    openRecordings(config, { store, logger, metrics }),
    (r) => r.close(),
  );
  const reader = started(createDocumentReader({ clock, logger, limits: AGENTS_READER }), async (r) => r.close());
  const analyst = callAnalyst(config, { clock, logger, metrics });
  const work = { store, billing, logger, metrics, recordings: recordingWork, reader, analyst };
  const redis = started(await openRedis(config, logger), async (r) => r?.close());
  const jobs = started(await Jobs.open({ ...work, ...(redis && { redis }) }), (j) => j.close());
  written = jobs;
  const webhooks = started(startWebhooks({ config, store, clock, logger, version }), (w) => w.close());
  const speech = agentSpeech(engines, voices);
  const holdMusic = HoldMusic.load(config.paths.musicDir, config.conversation.holdMusic, logger);
  const feed = new LiveFeed(clock);
  const registry = new CallRegistry(config.media.callsPerWorker * 64, clock, callGauges(metrics));
  const phones: PhoneParts = started(
    await openPhones({ config, store, clock, logger, metrics, trunks: () => trunks.directory }),
    (p) => p.close(),
  );
  const watch: TrunkWatch = started(
    new TrunkWatch({
      ...{ states: liveTrunkStates(store.trunkStates, (id) => trunks.directory.get(id), feed), clock, logger, metrics },
      ask: (request, waitMs) => signalling.sip.ask(request, waitMs),
    }),
    (w) => w.close(),
  );
  const ownTests = new OwnTests(isOwnAddress(config.sip.externalAddress));
  const trunks: TrunkParts = started(
    await openTrunks({
      ...{ config, store, clock, logger, contacts: phones.registrar, health: watch.health, ownTests },
      refused: liveRefusals(store.refusedCalls, feed),
      serviceRouteOf: (trunkId, nextHop) => watch.serviceRouteOf(trunkId, nextHop),
      livingOf: (trunkId) => signalling.sip.living.countOf(trunkId),
    }),
    (t) => t.close(),
  );
  const ticker = new CallTicker(clock, logger);
  const tracing = openTracing(config, { clock, logger, metrics, version, node: store.gateways.node }, started);
  const calls: ReceptionDeps = {
    ...{ registry, descriptors, clock, logger, metrics, ticker, book: liveBook(billing.callBook, feed) },
    media: withStreamBridges(media, ticker),
    observe: liveWords(feed),
    dialer: {
      dial: (options) => signalling.sip.dial(dialTerms(options, config.sip)),
      localAddressTo: (uri) => signalling.sip.localAddressTo(uri),
    },
    hosts: watch.notes(config.sip.server === 'embedded'),
    directory: trunks.numbers,
    onRefused: (info, end, accountId) => trunks.refusals.add(info, end, accountId),
    router: trunks.router,
    musicOf: (name) => holdMusic.of(name),
    maxCallMs: config.conversation.maxCallSeconds * 1000,
    transferTimeoutMs: config.conversation.transferTimeoutMs,
    answerDelayMs: config.conversation.answerDelayMs,
    maxCallsPerAccount: config.conversation.maxCallsPerAccount,
    ...(tracing && { tracing }),
    recording: (callId) =>
      config.media.recording
        ? { name: recordingPath(callId), path: join(config.dataDir, recordingPath(callId)) }
        : undefined,
    sessionOf: (port) => new RtpSession(port.local),
    readsAfter: (agent) => analyst?.reads(agent) ?? false,
    engineProblem: (agent) => engines.problemFor(agent),
    prepare: (agent) => engines.prepare(agent),
    openVad: () => engines.vad.open({ ...OPENING_VAD, minLevelDb: config.conversation.vadLevelDb }),
    conversation: conversationParts({ engines, speech, config, clock, metrics }),
  };
  const reception = new Reception(calls);
  const edge = started(await openMediaEdge(config, logger, metrics), async (e) => e?.close());
  const signalling: Signalling = started(
    await openSignalling({
      ...{ config, logger, metrics, registry, edge, onCall: (leg) => void reception.receive(leg) },
      onReplaces: (leg, replaced) => reception.replace(leg, replaced),
      admit: (info, sender) => trunks.admission.admit(info, sender),
      onRefused: (info, end) => trunks.refusals.add(info, end),
      encryptionOf: (info) => termsOf(info, config.sip, (id) => trunks.directory.get(id)),
      keepLadders: (ladders) => store.ladders.add(ladders),
      ...{ prove: phones.prove, registrar: phones.registrar, closed: () => service.closed, away: () => service.away },
    }),
    (s) => s.close(),
  );
  const publicApi = started(
    await openPublicApi({
      ...{ config, store, billing, engines, voices, prices },
      ...{ clock, descriptors, logger, metrics, redis },
    }),
    (a) => a.close(),
  );
  const streams = started(
    new Streams({
      ...{ reception, ticker, clock, logger, connectionsMax: config.streams.connectionsMax },
      ...{ queueMs: config.media.playoutQueueMs, timeoutMs: config.media.rtpTimeoutMs, ...recordingSeal(config) },
      onChange: (connections) => metrics.streamsActive.set(connections),
    }),
    (s) => s.closeRecorder(),
  );
  let gauges: Gauges | undefined; // Reads what is made below.
  const served = await openMetrics(config.metrics, { metrics, measure: async () => gauges?.read(), logger });
  const { state: metricsState } = started(served, (m) => m.close());
  const parts = () => readiness({ store, signalling, media, edge, engines, billing, jobs, metricsState, descriptors });
  const service: ServiceState = started(new ServiceState(clock, parts), async (s) => s.close());
  const ready = async () => ({ service: service.part, ...(await parts()) });
  const management = started(
    openManagement({
      ...{ config, store, voices, clock, logger, version, prices, registry, media, feed, engines, recordings },
      ...{ queues: jobs.desk, errors, documents: library, servers, indexDocument: (id) => jobs.indexDocument(id) },
      talkTokens: publicApi.service.talkTokens,
      ...{ ownTests, sipAddress: () => signalling.address },
      forgetSoFar: () => billing.forgetSoFar(),
      refreshTrunks: () => trunks.directory.refresh(),
      tellWebhooks: () => void webhooks.look(),
      askHost: (nextHop) => watch.ask(nextHop),
      listens: () => ({ port: portOf(signalling.address), rtpPorts: config.media.rtpPorts }),
      readiness: ready,
    }),
    (m) => m.close(),
  );
  const app = started(
    buildApp({
      ...{ logger, metrics, version, manage: management.routes, service: publicApi.service, socket: publicApi.socket },
      streams: streamCalls(streams, config.streams, engines),
      ...(signalling.sockets && { sipSocket: signalling.sockets }),
      readiness: ready,
    }),
    (a) => a.close(),
  );
  const apiAddress = await listen(app, config);
  const { events } = started(
    startOutbound({
      ...{ config, store, calls, registry, router: trunks.router, directory: trunks.directory },
      ...{ clock, logger, metrics },
    }),
    ({ pump }) => pump.close(),
  );
  events.listen(liveOrder(feed));
  const stopWatching = watchFreedMemory(clock, () => registry.size > 0);
  started(stopWatching, async (stop) => stop());
  watch.start(trunks.directory);
  gauges = started(
    new Gauges({
      ...{ metrics, registry, media, engines, billing, store, phones, readiness: ready, logger },
      build: { version, node: store.gateways.node },
    }),
    async (g) => g.close(),
  );
  const facts = () => ({ version, sip: signalling.address, api: apiAddress, capacity: media.load().capacity });
  const report = started(
    new NodeReport({
      ...{ gateways: store.gateways, service, registry, facts, clock, logger },
      leadMs: config.shutdown.leadSeconds * 1000,
    }),
    async (r) => r.close(),
  );
  let closing: Promise<void> | undefined;
  const ending = new AbortController();
  const close = async (): Promise<void> => {
    ending.abort();
    const left = watch.leave();
    await service.leave(config.shutdown.leadSeconds * 1000);
    signalling.drain();
    await left;
    await registry.drain(drainMsOf(config), callEnd('gateway', 'shutdown'));
    await closeAll();
  };
  return {
    ...{
      ...{ config, store, voices, apiAddress },
      sipAddress: signalling.address,
      notes: [
        ...encryptionNotes(config.sip, trunks.directory.trunks, srtp),
        ...speechNotes(config.engines),
        ...toolNotes(config.engines),
        ...voiceNotes(engines.voice, config.conversation.vad),
        ...[...signalling.notes, ...redisNotes(redis)],
        ...socketNotes(signalling, apiAddress),
      ],
      close: () => (closing ??= close()),
    },
    refreshTrunks: () => trunks.directory.refresh(),
    hurry: () => service.hurry(() => void registry.drain(0, callEnd('gateway', 'shutdown'))),
    open: () => service.open().then(() => report.tell()),
    offerAgents: (shipped) => management.offerAgents(shipped),
    compileAgents: () => compileAgents({ numbers: store.numbers, compile: engines.compile, logger }),
    prepareAgents: () => readyAgents({ config, store, engines, speech, clock, metrics, logger }, ending.signal),
    metricsAddress: metricsState.ok ? metricsState.address : undefined,
  };
}

/** Where SIP over WebSocket is taken. */
function socketNotes({ sockets }: Signalling, apiAddress: string): string[] {
  return sockets ? [`SIP over WebSocket: ${apiAddress.replace(/^http/, 'ws')}${SIP_SOCKET_PATH}`] : [];
}

const portOf = (address: string): number => Number(address.slice(address.lastIndexOf(':') + 1));
const recordingPath = (callId: string): string => join(RECORDINGS, `${callId}.wav`);

function openStore(config: Config, logger: Logger): Promise<Store> {
  const { databaseUrl, directUrl, connections } = config.store;
  const { dataDir: dataFolder, secretKey } = config;
  const urls = { ...(databaseUrl !== 'embedded' && { databaseUrl }), ...(directUrl !== 'none' && { directUrl }) };
  const budget = budgetOf(connections, config.jobs.redisUrl === 'none');
  const { maxCallsPerAccount: callsPerAccountMax } = config.conversation;
  return Store.open({ ...urls, budget, dataFolder, secretKey, callsPerAccountMax, logger });
}

async function listen(app: FastifyInstance, config: Config): Promise<string> {
  const { host, port } = config.http;
  try {
    await app.listen({ host, port });
  } catch (error) {
    const hint = 'Is another gateway running? Set NIDAA_HTTP_PORT to use another port.';
    throw new OperatorError(`Cannot listen on http ${host}:${port}: ${errorText(error)}. ${hint}`, { cause: error });
  }
  const bound = (app.server.address() as { port: number }).port;
  return `http://${isIP(host) === 6 ? `[${host}]` : host}:${bound}`;
}
