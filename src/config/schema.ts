import { type Static, type TOptional, type TSchema, Type } from '@sinclair/typebox';
import { JITTER_MS, PLAYOUT_QUEUE_MS } from '../core/media-limits.ts';
import type { openaiSettings } from '../engines/providers/openai/settings.ts';
import { LOCAL_PROVIDERS, PROVIDERS } from '../engines/providers/providers.ts';
import { localized } from './agent-keys.ts';
import { recordingsSection } from './recordings.ts';

/**
 * Shape, units and defaults of `config/nidaa.yaml`. A key left out of the file has the default written here and nowhere
 * else; units are the last part of a name. `expected` is what an error message asks for.
 */
const port = (byDefault: number) => Type.Integer({ minimum: 0, maximum: 65_535, default: byDefault });
const ms = (byDefault: number, minimum = 0, maximum = 600_000) =>
  Type.Integer({ minimum, maximum, default: byDefault });
const integer = (byDefault: number, minimum: number, maximum: number) =>
  Type.Integer({ minimum, maximum, default: byDefault });
const text = (byDefault: string, options: object = {}) => Type.String({ default: byDefault, ...options });
const words = (...byDefault: string[]) => Type.Array(Type.String({ minLength: 1 }), { default: byDefault });
const flag = (byDefault: boolean) => Type.Boolean({ default: byDefault });
const filled = Type.String({ minLength: 1 });
/** 0: until somebody erases it. */
const keptDays = integer(0, 0, 36_500);
const path = Type.Optional(filled);
const section = <P extends Record<string, TSchema>>(properties: P) => Type.Object(properties, { default: {} });

const engineName = Type.String({ pattern: '^[a-z][a-z0-9-]*$', expected: 'the name of an engine' });
/** One engine, or several in order: the next one serves when the one before fails before its first result. */
const engineNames = (...byDefault: string[]) =>
  Type.Union([engineName, Type.Array(engineName, { minItems: 1 })], {
    default: byDefault,
    expected: 'the name of an engine, or a list of names',
  });

const limits = (byDefault: { firstResultMs: number; totalMs: number; concurrency: number; queue: number }) =>
  section({
    firstResultMs: ms(byDefault.firstResultMs, 10),
    totalMs: ms(byDefault.totalMs, 10, 24 * 3_600_000),
    concurrency: integer(byDefault.concurrency, 1, 10_000),
    queue: integer(byDefault.queue, 0, 10_000),
    breakerFailures: integer(5, 1, 1000),
    breakerCooldownMs: ms(10_000, 100),
  });

const sip = section({
  host: text('127.0.0.1', { minLength: 1 }),
  port: port(5060),
  transports: Type.Array(Type.Union((['udp', 'tcp', 'tls', 'ws', 'wss'] as const).map((name) => Type.Literal(name))), {
    minItems: 1,
    default: ['udp', 'tcp'],
  }),
  tls: section({
    certFile: path,
    keyFile: path,
    caFile: path,
    certificates: Type.Array(Type.Object({ certFile: filled, keyFile: filled }), { default: [], maxItems: 100 }),
    selfSigned: flag(false),
    port: Type.Optional(Type.Integer({ minimum: 0, maximum: 65_535 })),
    minVersion: Type.Union([Type.Literal('TLSv1.2'), Type.Literal('TLSv1.3')], { default: 'TLSv1.2' }),
    clientCertificates: Type.Union([Type.Literal('off'), Type.Literal('request'), Type.Literal('require')], {
      default: 'off',
    }),
    verifyPeers: flag(true),
    wildcardNames: flag(false),
  }),
  server: text('embedded', {
    pattern: '^(embedded|drachtio://[^@/]*@[^/:]+(:\\d+)?/?)$',
    expected: 'embedded or drachtio://:secret@host:9022',
  }),
  externalAddress: Type.Optional(
    Type.String({ pattern: '^[A-Za-z0-9.:-]{1,253}$', expected: 'an address or a host name' }),
  ),
  hep: section({
    server: text('none', {
      pattern: '^(none|(udp|tcp)://([a-zA-Z0-9._-]+|\\[[0-9a-fA-F:.]+\\]):\\d{1,5})$',
      expected: 'none or udp://host:9060 or tcp://host:9060',
    }),
    captureId: integer(2001, 0, 4_294_967_295),
    password: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
  }),
  sessionExpiresSeconds: integer(1800, 90, 86_400),
  minSessionExpiresSeconds: integer(90, 90, 86_400),
  allowedSources: Type.Array(
    Type.String({ pattern: '^[0-9a-fA-F.:]+(/\\d{1,3})?$', expected: 'an address or a network like 203.0.113.0/24' }),
    { default: [] },
  ),
  anonymous: Type.Union([Type.Literal('auto'), Type.Literal(true), Type.Literal(false)], { default: 'auto' }),
  directHosts: Type.Array(
    Type.String({
      pattern: '^([a-zA-Z0-9._-]+|[0-9a-fA-F:.]+(/\\d{1,3})?)$',
      expected: 'a host name, an address or a network, without a port',
    }),
    { default: [] },
  ),
  realm: text('nidaa', {
    minLength: 1,
    maxLength: 64,
    pattern: '^[\\x20-\\x21\\x23-\\x5b\\x5d-\\x7e]*$',
    expected: 'printable ASCII text without quotes',
  }),
  minRegistrationSeconds: integer(60, 10, 86_400),
  maxRegistrationSeconds: integer(3_600, 60, 604_800),
  contactsPerPhoneMax: integer(10, 1, 32),
  serverHeader: text('', { maxLength: 100, pattern: '^[\\x20-\\x7e]*$', expected: 'printable ASCII text' }),
  mediaEncryption: Type.Union([Type.Literal('none'), Type.Literal('allow'), Type.Literal('require')], {
    default: 'allow',
  }),
  keysInClear: flag(false),
  dtmf: Type.Union(
    (['auto', 'rfc4733', 'info', 'inband'] as const).map((way) => Type.Literal(way)),
    { default: 'auto' },
  ),
  rateLimitPerSecond: integer(500, 1, 1_000_000),
  rateLimitBurst: integer(2000, 1, 1_000_000),
  unacknowledgedCallsMax: integer(30, 1, 10_000), // of one source address
});

const api = section({
  requestsPerMinute: integer(600, 1, 1_000_000), // of one token
  requestBurst: integer(60, 1, 100_000),
  requestsInFlightPerAccount: integer(40, 1, 10_000),
  socketsPerAccount: integer(20, 1, 10_000),
  socketsTotal: integer(200, 1, 100_000),
  socketMaxSeconds: integer(7200, 1, 86_400),
  corsOrigins: Type.Array(
    Type.String({ pattern: '^(\\*|https?://[^/\\s]+)$', expected: 'an origin like https://app.example.com, or "*"' }),
    { default: [] },
  ),
});

export const EDGE_ADDRESS = '^([a-zA-Z0-9._-]+|\\[[0-9a-fA-F:.]+\\]):\\d{1,5}$';
const interfaceName = Type.String({
  ...{ pattern: '^[A-Za-z0-9:_-]{1,64}$', expected: 'the name of an interface of rtpengine' },
});
/** rtpengines between the media of calls and the outside; without the section media leaves by itself. */
const edge = Type.Object({
  engines: Type.Array(
    Type.Object({
      address: Type.String({
        ...{ pattern: EDGE_ADDRESS, expected: 'host:port, where rtpengine listens for ng' },
      }),
      weight: integer(1, 0, 100),
    }),
    { minItems: 1, maxItems: 16 },
  ),
  ownAddress: Type.Optional(Type.String({ pattern: '^[0-9a-fA-F.:]{2,45}$', expected: 'an IP address' })),
  innerInterface: Type.Optional(interfaceName),
  outerInterface: Type.Optional(interfaceName),
  timeoutMs: ms(1000, 100, 2000),
  pingMs: ms(2000, 500, 60_000),
});

const media = section({
  edge: Type.Optional(edge),
  rtpPorts: section({ min: integer(20_000, 1024, 65_535), max: integer(23_999, 1024, 65_535) }),
  io: Type.Union([Type.Literal('auto'), Type.Literal('direct'), Type.Literal('dgram')], { default: 'auto' }),
  callsPerWorker: integer(400, 1, 5000),
  workers: Type.Union([Type.Integer({ minimum: 1, maximum: 64 }), Type.Literal('auto')], { default: 'auto' }),
  maxLatenessP99Ms: Type.Number({ minimum: 0.5, maximum: 50, default: 3 }),
  maxCpuPercent: integer(70, 5, 100),
  rtpTimeoutMs: ms(30_000, 1000),
  jitterMinMs: ms(20, JITTER_MS.min, JITTER_MS.max),
  jitterMaxMs: ms(200, JITTER_MS.min, JITTER_MS.max),
  comfortNoiseDb: Type.Union([Type.Integer({ minimum: -80, maximum: -45 }), Type.Literal('off')], { default: -65 }),
  playoutQueueMs: ms(4000, PLAYOUT_QUEUE_MS.min, PLAYOUT_QUEUE_MS.max),
  recording: flag(true),
});

const conversation = section({
  greetingDelayMs: ms(300, 0, 5000),
  vad: Type.Union([Type.Literal('own'), Type.Literal('shadow'), Type.Literal('model')], {
    ...{ expected: 'own, shadow or model', default: 'shadow' },
  }),
  vadStartMs: ms(200, 20, 2000),
  vadHangoverMs: ms(200, 20, 2000),
  vadLevelDb: Type.Number({ minimum: 1, maximum: 40, default: 8 }),
  endpointingMinMs: ms(280, 50, 10_000),
  endpointingMs: ms(500, 50, 10_000),
  endpointingMaxMs: ms(2000, 50, 30_000),
  turnEnd: Type.Union([Type.Literal('shadow'), Type.Literal('act')], { expected: 'shadow or act', default: 'shadow' }),
  bargeInMs: ms(850, 20, 10_000),
  bargeInWords: integer(2, 1, 20),
  backchannels: section({ ar: words(), en: words() }),
  resumeAfterMs: ms(2000, 100, 30_000),
  noInputMs: ms(8000, 1000, 120_000),
  maxNoInputs: integer(3, 1, 20),
  maxCallSeconds: integer(1800, 10, 86_400),
  replyTimeoutMs: ms(5000, 100, 60_000),
  synthesisTimeoutMs: ms(3000, 100, 60_000),
  maxFailures: integer(3, 1, 20),
  transferTimeoutMs: ms(15_000, 1000, 120_000),
  holdMusic: Type.String({
    ...{ pattern: '^[A-Za-z0-9_-]{1,64}$', expected: 'a name of letters, digits, _ and -', default: 'calm' },
  }),
  answerDelayMs: ms(0, 0, 60_000),
  maxCallsPerAccount: integer(100, 1, 100_000),
});

const timeOfDay = (byDefault: string) =>
  text(byDefault, { pattern: '^([01]\\d:[0-5]\\d|2[0-3]:[0-5]\\d|24:00)$', expected: 'a time of day like 09:00' });
const waits = (...byDefault: number[]) =>
  Type.Array(Type.Integer({ minimum: 1, maximum: 604_800 }), { maxItems: 9, default: byDefault });
const weekDays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;

const outbound = section({
  callsAtOncePerAccount: integer(20, 1, 10_000),
  callsPerSecondPerAccount: integer(2, 1, 1000),
  callsPerDay: integer(500, 0, 10_000_000),
  spendCentsPerDay: integer(5_000, 0, 100_000_000),
  queuedMax: integer(10_000, 1, 1_000_000),
  callingHours: section({
    from: timeOfDay('09:00'),
    to: timeOfDay('21:00'),
    days: Type.Array(Type.Union(weekDays.map((day) => Type.Literal(day))), { minItems: 1, default: [...weekDays] }),
  }),
  timeZone: text('Asia/Riyadh', { minLength: 1, maxLength: 64 }),
  countryCode: text('966', { pattern: '^[1-9]\\d{0,2}$', expected: 'a country code like 966' }),
  maxRingSeconds: integer(45, 1, 300),
  retrySeconds: section({ busy: waits(120, 600), noAnswer: waits(3_600), failed: waits(60, 300) }),
  expireHours: integer(24, 1, 720),
  anyCallerId: flag(false),
  interruptedLineSeconds: integer(30, 0, 3_600),
  speakAfterMs: ms(1_000, 0, 10_000),
});

/** Secrets stay in the environment. */
const inEnvironment = Type.String({ pattern: '^[A-Z_][A-Z0-9_]*$', expected: 'the name of an environment variable' });

const streams = section({
  connectionsMax: integer(200, 1, 10_000),
  twilio: Type.Optional(
    Type.Object({
      secretEnv: Type.Optional(inEnvironment),
      authTokenEnv: Type.Optional(inEnvironment),
      publicUrl: Type.Optional(
        Type.String({ pattern: '^wss?://[^/?#@]+$', expected: 'an address like wss://voice.example.com' }),
      ),
    }),
  ),
  asterisk: Type.Optional(Type.Object({ secretEnv: inEnvironment })),
});

/** A section for each service, and each kind of models on disk, that hears or speaks. */
const providers: Record<string, TSchema> = Object.fromEntries(
  [...PROVIDERS, ...LOCAL_PROVIDERS].map(({ name, settings }) => [name, Type.Optional(settings)]),
);

/** As it stands in an address: hosts of the operator's own network, which others may reach through the gateway. */
const hostsInside = (of: string) =>
  Type.Array(
    Type.String({
      pattern: '^([a-zA-Z0-9._-]+|\\[[0-9a-fA-F:.]+\\])(:\\d{1,5})?$',
      expected: `a host, or host:port, as it stands in the address of the ${of}`,
    }),
    { default: [] },
  );

/** Who may be told a secret: as `allowedHosts`, and public hosts too. */
const secretHosts = Type.Array(hostsInside('tool').items, { minItems: 1, maxItems: 20 });

/** A tool of an MCP server that may be called; it changes something unless this says otherwise, and is read back then. */
const mcpTool = section({
  changes: flag(true),
  confirm: Type.Optional(localized),
  filler: Type.Optional(localized),
  // biome-ignore lint/suspicious/noThenProperty: the word that agent files use; nothing awaits a schema
  then: Type.Optional(localized),
  otherwise: Type.Optional(localized),
});
const mcpServer = Type.Object({
  url: Type.String({ pattern: '^https?://[^/?#@\\s]+(/[^?#\\s]*)?$', expected: 'an http(s) address' }),
  headers: Type.Record(Type.String(), Type.String(), { default: {}, form: 'names with texts' }),
  tools: Type.Record(Type.String(), mcpTool, { form: 'names with tools' }),
  timeoutMs: ms(8_000, 100, 30_000),
  accounts: Type.Optional(
    Type.Array(Type.String({ pattern: '^acc_[a-z0-9]+$', expected: 'the id of an account, acc_...' }), { minItems: 1 }),
  ),
});

const engines = section({
  vad: Type.Union([Type.Literal('combined'), Type.Literal('energy')], { default: 'combined' }),
  stt: section({ en: engineNames('pocketsphinx'), ar: engineNames('none') }),
  tts: engineNames('espeak'),
  reply: engineNames('scripted'),
  /** Where a service is late with its first words, the next of `reply` is asked too: `hedge.ts`. */
  hedgeReplies: flag(true),
  document: engineNames('retrieval'),
  /** What looks at calls that are over: the dialogue alone, or a chat model after it. */
  afterCall: Type.Union([Type.Literal('dialogue'), Type.Literal('openai')], { default: 'dialogue' }),
  limits: section({
    // Every call has a stream for as long as it lasts: as many as calls of several media threads.
    stt: limits({ firstResultMs: 10_000, totalMs: 7_200_000, concurrency: 2_000, queue: 20 }),
    tts: limits({ firstResultMs: 3000, totalMs: 60_000, concurrency: 16, queue: 256 }),
    reply: limits({ firstResultMs: 5000, totalMs: 60_000, concurrency: 256, queue: 256 }),
    document: limits({ firstResultMs: 30_000, totalMs: 60_000, concurrency: 4, queue: 32 }),
    afterCall: limits({ firstResultMs: 60_000, totalMs: 60_000, concurrency: 2, queue: 8 }),
  }),
  ...(providers as { openai: TOptional<typeof openaiSettings> }), // the others are known to their folders only
  speechPrivacy: Type.Union([Type.Literal('local'), Type.Literal('remote')], { default: 'local' }),
  httpTools: section({
    allowedHosts: hostsInside('tool'),
    secrets: Type.Record(Type.String(), Type.Object({ env: inEnvironment, hosts: secretHosts }), {
      default: {},
      form: 'names with secrets',
    }),
  }),
  mcp: Type.Record(Type.String(), mcpServer, { default: {}, form: 'names with servers' }),
  modelTools: section({
    callsPerTurn: integer(4, 1, 16),
    timeoutMs: ms(8_000, 100, 30_000),
    fillerAfterMs: ms(1_200, 200, 10_000),
    resultChars: integer(4_000, 200, 20_000),
  }),
});

export const ConfigSchema = section({
  dataDir: text('data', { minLength: 1 }),
  sip,
  http: section({ host: text('127.0.0.1', { minLength: 1 }), port: port(8080) }),
  /** Traces of calls, over OTLP/HTTP. */
  telemetry: section({
    otlp: text('none', { pattern: '^(none|https?://[^/?#@\\s]+(/[^?#\\s]*)?)$', expected: 'none or http://host:4318' }),
    share: Type.Number({ minimum: 0, maximum: 1, default: 1 }),
    joinCallers: flag(false),
  }),
  metrics: section({ host: text('127.0.0.1', { minLength: 1 }), port: port(9464) }),
  api,
  media,
  streams,
  conversation,
  outbound,
  engines,
  speech: section({
    defaultVoice: section({ ar: text('noura', { minLength: 1 }), en: text('emma', { minLength: 1 }) }),
    /** What agents say again and again is spoken before anybody calls, services included where they may speak. */
    presynthesis: flag(true),
  }),
  text: section({
    oblique: Type.Union([Type.Literal('grammar'), Type.Literal('always')], { default: 'grammar' }),
    digitGrouping: Type.Union([Type.Literal('none'), Type.Literal('threes')], { default: 'none' }),
  }),
  billing: section({ gateAgentsList: flag(true) }),
  store: section({
    databaseUrl: text('embedded', {
      pattern: '^(embedded|postgres(ql)?://.+)$',
      expected: 'embedded or postgres://user:password@host/database',
    }),
    directUrl: text('none', {
      pattern: '^(none|postgres(ql)?://.+)$',
      expected: 'none or postgres://user:password@host/database',
    }),
    connections: integer(21, 13, 1_000),
  }),
  node: section({
    leaseSeconds: integer(30, 5, 300),
    whenTaken: Type.Union([Type.Literal('refuse'), Type.Literal('new-identity')], { default: 'refuse' }),
  }),
  jobs: section({
    redisUrl: text('none', { pattern: '^(none|rediss?://.+)$', expected: 'none or redis://host:6379' }),
    redisCaFile: path,
  }),
  recordings: recordingsSection,
  retention: section({
    recordingsDays: keptDays,
    transcriptsDays: keptDays,
    callsDays: keptDays,
    ordersDays: keptDays,
    refusalsDays: keptDays,
  }),
  documents: section({ accountMb: integer(64, 0, 100_000) }),
  webhooks: section({ allowedHosts: hostsInside('webhook') }),
  log: section({
    level: Type.Union(
      (['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const).map((level) => Type.Literal(level)),
      { default: 'info' },
    ),
    redactPersonal: flag(true),
  }),
  account: section({
    name: text('Demo', { minLength: 1, maxLength: 100 }),
    creditCents: integer(10_000, 0, 100_000_000),
  }),
  shutdown: section({
    leadSeconds: integer(0, 0, 300),
    drainSeconds: Type.Union([Type.Integer({ minimum: 0, maximum: 86_400 }), Type.Literal('longest-call')], {
      default: 60,
    }),
  }),
});

export type ConfigFile = Static<typeof ConfigSchema>;
