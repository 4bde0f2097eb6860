import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { Value } from '@sinclair/typebox/value';
import { isNetwork, looksNumeric } from '../core/address-filter.ts';
import { rtpPortsOf } from '../core/media-limits.ts';
import { isTimeZone } from '../core/time-zone.ts';
import type { LocalSettings, ServerSettings } from '../engines/providers/provider.ts';
import { LOCAL_PROVIDERS, PROVIDERS } from '../engines/providers/providers.ts';
import { readEnvironment } from './environment.ts';
import { readMcpServers } from './mcp-servers.ts';
import { Problems } from './problems.ts';
import { type RecordingSettings, readRecordings } from './recordings.ts';
import { type ConfigFile, ConfigSchema } from './schema.ts';
import { withSecretFiles } from './secret-files.ts';
import { readStreamSecrets, type StreamSettings } from './stream-secrets.ts';
import { readToolSecrets, type ToolSettings } from './tool-secrets.ts';
import { YamlFile } from './yaml-file.ts';

/** Read-only all the way down. */
export type Settled<T> = T extends readonly (infer U)[]
  ? readonly Settled<U>[]
  : T extends object
    ? { readonly [K in keyof T]: Settled<T[K]> }
    : T;

type EnginesFile = ConfigFile['engines'];
/** As in the file, with every engine choice as an ordered list and secrets taken from the environment. */
type Engines = Omit<EnginesFile, 'stt' | 'tts' | 'reply' | 'document' | 'openai' | 'httpTools'> & {
  httpTools: ToolSettings;
  stt: { en: string[]; ar: string[] };
  tts: string[];
  reply: string[];
  document: string[];
  openai?: EnginesFile['openai'] & { apiKey?: string };
};

/** Every setting of the gateway. `dataDir` and `paths` are absolute. */
export type Config = Settled<
  Omit<ConfigFile, 'engines' | 'streams' | 'recordings'> & {
    engines: Engines;
    streams: StreamSettings;
    recordings: RecordingSettings;
    /** The files this came from, and those that stand beside it. */
    paths: Record<
      'configFile' | 'voicesFile' | 'pricesFile' | 'modelsFile' | 'agentsDir' | 'trunksDir' | 'lexiconDir' | 'musicDir',
      string
    >;
    /** What secrets in the database are sealed with, where the environment has it (`NIDAA_SECRET_KEY`). */
    secretKey?: string;
    /** Things that are probably not meant, for the log. */
    warnings: string[];
  }
>;

export interface LoadOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where relative paths begin; default the working directory. */
  readonly cwd?: string;
  /** Folder of `nidaa.yaml`; default `config/` of the program. `NIDAA_CONFIG` (a file) goes before it. */
  readonly configDir?: string;
  /** Whose secrets the environment has to have; everybody's where it is left out. A command that lists accounts needs none. */
  readonly secretsOf?: readonly ('engines' | 'carriers' | 'recordings')[];
}

/** Of the data folder. */
export const MODELS_FOLDER = 'models';

/** `config/` beside `src/` and `dist/`. */
export const SHIPPED_CONFIG_DIR = fileURLToPath(new URL('../../config', import.meta.url));

/** The environment of this process, and its secrets in files: the only place in the program that reads it. */
export function processEnvironment(): LoadOptions['env'] {
  return withSecretFiles(process.env);
}

/**
 * Reads `nidaa.yaml`, puts the environment over it and checks what belongs together. `voices.yaml`, `prices.yaml`,
 * `agents/` and `trunks/` are looked for beside the file, else those shipped with the program serve.
 *
 * @throws OperatorError that lists every problem with file, line and field.
 */
export function loadConfig(options: LoadOptions): Config {
  const cwd = options.cwd ?? process.cwd();
  const problems = new Problems(cwd);
  const { secretsOf = ['engines', 'carriers', 'recordings'] } = options;
  const isOf = (whose: (typeof secretsOf)[number]): boolean => secretsOf.includes(whose);
  const configFile = options.env['NIDAA_CONFIG']
    ? resolve(cwd, options.env['NIDAA_CONFIG'])
    : join(resolve(cwd, options.configDir ?? SHIPPED_CONFIG_DIR), 'nidaa.yaml');
  const file = new YamlFile(configFile, problems);
  const written = file.read(ConfigSchema);
  const fromEnvironment = readEnvironment(options.env, problems);
  if (written) for (const apply of fromEnvironment.changes) apply(written);
  if (written) checkTogether(written, (path, message) => file.problem(path, message));
  if (written) checkAddresses(written, (path, message) => file.problem(path, message));
  if (written) checkTls(written, (path, message) => file.problem(path, message));
  if (written) checkProviders(written, (path, message) => file.problem(path, message));
  if (written) checkLocal(written, (path, message) => file.problem(path, message));
  const keyed = written && withKeys(written, options.env, file, isOf('engines'));
  const secrets = written && readToolSecrets(written.engines.httpTools, options.env, file, isOf('engines'));
  const servers = written && readMcpServers(written.engines.mcp, secrets!, file);
  const streams =
    written &&
    readStreamSecrets(written.streams, options.env, (path, message) => file.problem(path, message), isOf('carriers'));
  const recordings =
    written &&
    readRecordings(written.recordings, options.env, (path, message) => file.problem(path, message), isOf('recordings'));
  problems.throwIfAny();
  const settled = written!;
  const secretKey = options.env['NIDAA_SECRET_KEY'];
  const beside = (name: string): string => {
    const own = join(dirname(configFile), name);
    return existsSync(own) ? own : join(SHIPPED_CONFIG_DIR, name);
  };
  const dataDir = resolve(cwd, settled.dataDir);
  const { redisCaFile: caFile } = settled.jobs;
  return {
    ...settled,
    dataDir,
    sip: { ...settled.sip, tls: withPaths(settled.sip.tls, cwd) },
    jobs: { ...settled.jobs, ...(caFile !== undefined && { redisCaFile: resolve(cwd, caFile) }) },
    ...(secretKey && { secretKey }),
    engines: {
      ...withLists(settled.engines, { ...keyed, ...withModels(settled.engines, dataDir) }),
      httpTools: secrets!,
      mcp: servers!,
    },
    streams: streams!,
    recordings: recordings!,
    paths: {
      configFile,
      voicesFile: beside('voices.yaml'),
      pricesFile: beside('prices.yaml'),
      modelsFile: beside('models.yaml'),
      agentsDir: beside('agents'),
      trunksDir: beside('trunks'),
      lexiconDir: beside('lexicon'),
      musicDir: join(dirname(configFile), 'music'),
    },
    warnings: [...doubtful(settled), ...fromEnvironment.unknown],
  };
}

/** Files are looked for where `dataDir` is. */
function withPaths(
  { certFile, keyFile, caFile, certificates, ...rest }: ConfigFile['sip']['tls'],
  cwd: string,
): ConfigFile['sip']['tls'] {
  return {
    ...rest,
    ...(certFile !== undefined && { certFile: resolve(cwd, certFile) }),
    ...(keyFile !== undefined && { keyFile: resolve(cwd, keyFile) }),
    ...(caFile !== undefined && { caFile: resolve(cwd, caFile) }),
    certificates: certificates.map((pair) => ({
      certFile: resolve(cwd, pair.certFile),
      keyFile: resolve(cwd, pair.keyFile),
    })),
  };
}

type Refuse = (path: readonly (string | number)[], message: string) => void;

/** Settings that are fine each for itself and make no sense together. */
function checkTogether(config: ConfigFile, refuse: Refuse): void {
  const { media, conversation, outbound, sip, http, metrics } = config;
  const atMost = (path: string[], name: string, value: number, limitName: string, limit: number): void => {
    if (value > limit) refuse([...path, name], `expected at most ${limitName} (${limit}), got ${value}`);
  };
  atMost(['media'], 'jitterMinMs', media.jitterMinMs, 'jitterMaxMs', media.jitterMaxMs);
  const { endpointingMinMs, endpointingMs, endpointingMaxMs } = conversation;
  atMost(['conversation'], 'endpointingMinMs', endpointingMinMs, 'endpointingMaxMs', endpointingMaxMs);
  atMost(['conversation'], 'endpointingMs', endpointingMs, 'endpointingMaxMs', endpointingMaxMs);
  atMost(['conversation'], 'vadStartMs', conversation.vadStartMs, 'bargeInMs', conversation.bargeInMs);
  const { from, to } = outbound.callingHours;
  if (from >= to) refuse(['outbound', 'callingHours', 'to'], `expected a time after from (${from}), got ${to}`);
  if (!isTimeZone(outbound.timeZone)) refuse(['outbound', 'timeZone'], 'expected a time zone like Asia/Riyadh');
  const { minSessionExpiresSeconds, sessionExpiresSeconds } = sip;
  atMost(['sip'], 'minSessionExpiresSeconds', minSessionExpiresSeconds, 'sessionExpiresSeconds', sessionExpiresSeconds);
  atMost(['sip'], 'rateLimitPerSecond', sip.rateLimitPerSecond, 'rateLimitBurst', sip.rateLimitBurst);
  if (media.edge && (media.edge.innerInterface === undefined) !== (media.edge.outerInterface === undefined)) {
    refuse(['media', 'edge'], 'expected both innerInterface and outerInterface, or neither');
  }
  const { min, max } = media.rtpPorts;
  if (rtpPortsOf({ min, max }).length === 0) {
    refuse(['media', 'rtpPorts'], `expected an even port and the odd one above it, got ${min}..${max}`);
  }
  if (sip.port !== 0 && sip.port === http.port && sip.transports.includes('tcp')) {
    refuse(['http', 'port'], `expected a port other than sip.port, got ${http.port}`);
  }
  if (metrics.port !== 0 && metrics.port === http.port) {
    refuse(['metrics', 'port'], `expected a port other than http.port, got ${metrics.port}`);
  }
}

/** What looks like an address is one: nothing is let in by a slip. */
function checkAddresses({ sip }: ConfigFile, refuse: Refuse): void {
  for (const name of ['allowedSources', 'directHosts'] as const) {
    sip[name].forEach((entry, index) => {
      if (looksNumeric(entry) && !isNetwork(entry)) {
        refuse(['sip', name, index], `expected an address or a network, got ${entry}`);
      }
    });
  }
}

/** TLS needs a certificate, and a port of its own. */
function checkTls({ sip, http }: ConfigFile, refuse: Refuse): void {
  const { certFile, keyFile, selfSigned, port } = sip.tls;
  const at = (name: string, message: string): void => refuse(['sip', 'tls', name], message);
  if ((certFile === undefined) !== (keyFile === undefined)) {
    at(certFile === undefined ? 'certFile' : 'keyFile', 'expected both certFile and keyFile, or neither');
  } else if (certFile !== undefined && selfSigned) {
    at('selfSigned', 'expected either files or selfSigned, got both');
  } else if (certFile === undefined && !selfSigned && sip.server === 'embedded' && sip.transports.includes('tls')) {
    at('certFile', 'expected certFile and keyFile, or selfSigned: true, as sip.transports has tls');
  }
  if (port === undefined || port === 0 || !sip.transports.includes('tls')) return;
  if (port === sip.port && sip.transports.includes('tcp'))
    at('port', `expected a port other than sip.port, got ${port}`);
  if (port === http.port) at('port', `expected a port other than http.port, got ${port}`);
}

/** Where engines are named. */
function namedAt({ engines }: ConfigFile): readonly { at: string; needs: string; names: string[] }[] {
  return [
    ...(['reply', 'document', 'tts'] as const).map((at) => ({ at, needs: at, names: asList(engines[at]) })),
    { at: 'afterCall', needs: 'reply', names: [engines.afterCall] }, // a chat model, too
    ...(['ar', 'en'] as const).map((at) => ({ at: `stt.${at}`, needs: 'stt', names: asList(engines.stt[at]) })),
  ];
}

/** The section of a provider, undefined where there is none. */
function sectionOf(engines: object, name: string): (ServerSettings & Readonly<Record<string, unknown>>) | undefined {
  return (engines as Readonly<Record<string, never>>)[name];
}

/** A service that is named needs its server and its models. */
function checkProviders(config: ConfigFile, refuse: Refuse): void {
  for (const { name, needs } of PROVIDERS) {
    const section = sectionOf(config.engines, name);
    for (const { at, needs: capability, names } of namedAt(config)) {
      const needed = needs[capability];
      if (!needed || !names.includes(name)) continue;
      if (!section) {
        refuse(['engines', name], `expected ${['baseUrl', ...needed].join(' and ')}: engines.${at} names it`);
        continue;
      }
      for (const setting of needed) {
        if (section[setting] !== undefined) continue;
        const what = setting.endsWith('Model') ? 'the name of a model' : 'the name of a voice';
        refuse(['engines', name, setting], `expected ${what}: engines.${at} names ${name}`);
      }
    }
    if (section && (!URL.canParse(section.baseUrl) || /[?#@]/.test(section.baseUrl))) {
      refuse(['engines', name, 'baseUrl'], 'expected an address like http://127.0.0.1:11434/v1, without a password');
    }
  }
}

/** Models on disk that are named are told which. */
function checkLocal({ engines, conversation }: ConfigFile, refuse: Refuse): void {
  const isThere = (capability: 'turn-end' | 'vad'): boolean =>
    LOCAL_PROVIDERS.some(({ name, lacks }) => lacks(localSectionOf(engines, name), { capability }) === undefined);
  if (conversation.turnEnd === 'act' && !isThere('turn-end')) {
    refuse(
      ['conversation', 'turnEnd'],
      'expected engines.sherpa.turnEnd with a model: nobody else judges the end of turns',
    );
  }
  if (conversation.vad === 'model' && !isThere('vad')) {
    refuse(
      ['conversation', 'vad'],
      'expected engines.sherpa.vad with a model: nobody else judges beside the detector whether there is a voice',
    );
  }
  for (const { name, lacks } of LOCAL_PROVIDERS) {
    const section = localSectionOf(engines, name);
    const uses = [
      ...(['ar', 'en'] as const).map((language) => ({
        ...{ at: `stt.${language}`, names: asList(engines.stt[language]) },
        use: { capability: 'stt' as const, language },
      })),
      { at: 'tts', names: asList(engines.tts), use: { capability: 'tts' as const } },
    ];
    for (const { at, names, use } of uses) {
      const lacking = names.includes(name) ? lacks(section, use) : undefined;
      if (lacking) refuse(['engines', name], `expected ${lacking}: engines.${at} names ${name}`);
    }
  }
}

/** The section of a local provider as it stands in the file, undefined where there is none. */
function localSectionOf(engines: object, name: string): LocalSettings | undefined {
  return (engines as Readonly<Record<string, never>>)[name];
}

/** The sections of local providers, with the folder where models are installed. */
function withModels(engines: EnginesFile, dataDir: string): Record<string, LocalSettings> {
  const sections: Record<string, LocalSettings> = {};
  for (const { name } of LOCAL_PROVIDERS) {
    const section = localSectionOf(engines, name);
    if (section) sections[name] = { ...section, modelsDir: join(dataDir, MODELS_FOLDER) };
  }
  return sections;
}

/** Settings of the SIP server in this process; one that is elsewhere has its own. */
const EMBEDDED_ONLY = [
  ...(['port', 'transports', 'tls', 'hep', 'serverHeader'] as const),
  ...(['rateLimitPerSecond', 'rateLimitBurst', 'unacknowledgedCallsMax'] as const),
];
const SIP_DEFAULTS = Value.Default(ConfigSchema.properties.sip, {}) as ConfigFile['sip'];
const isDefault = (name: (typeof EMBEDDED_ONLY)[number], value: unknown): boolean =>
  isDeepStrictEqual(value, SIP_DEFAULTS[name]);

/** An address that is reached without encryption, on another machine. */
const READABLE = /^(?:http|tcp):\/\/(?!localhost|127\.|\[::1\])/i;

/** What works, and is probably not meant. */
function doubtful({ sip, media, engines, conversation, recordings }: ConfigFile): string[] {
  const { min, max } = media.rtpPorts;
  const overlap = sip.port >= min && sip.port <= max;
  const readable = PROVIDERS.flatMap(({ name }) =>
    (['baseUrl', 'speechUrl'] as const)
      .filter((key) => READABLE.test(String(sectionOf(engines, name)?.[key])))
      .map((key) => `engines.${name}.${key}`),
  );
  if (READABLE.test(recordings.s3?.endpoint ?? '')) readable.push('recordings.s3.endpoint');
  const waits = (['firstTokenMs', 'proposalMs'] as const).filter(
    (name) => (engines.openai?.[name] ?? 0) >= conversation.replyTimeoutMs,
  );
  const ignored = sip.server === 'embedded' ? [] : EMBEDDED_ONLY.filter((name) => !isDefault(name, sip[name]));
  return [
    ...(ignored.length > 0
      ? [
          `only the embedded SIP server obeys ${ignored.map((name) => `sip.${name}`).join(', ')}: set them at sip.server`,
        ]
      : []),
    ...(overlap ? [`sip.port ${sip.port} lies in media.rtpPorts ${min}..${max}: one call fewer fits`] : []),
    ...readable.map((at) => `${at} is not encrypted: what is sent, and a key, can be read on the way`),
    ...waits.map(
      (name) => `engines.openai.${name} is not below conversation.replyTimeoutMs: nobody else can answer in time`,
    ),
  ];
}

/** The sections of providers with their keys, where they name one. */
function withKeys(
  { engines }: ConfigFile,
  env: LoadOptions['env'],
  file: YamlFile,
  areNeeded: boolean,
): Record<string, ServerSettings> {
  const sections: Record<string, ServerSettings> = {};
  for (const { name } of PROVIDERS) {
    const section = sectionOf(engines, name);
    const apiKey = section?.apiKeyEnv === undefined ? undefined : env[section.apiKeyEnv];
    if (section?.apiKeyEnv !== undefined && !apiKey && areNeeded) {
      const expected = `expected a key in the environment variable ${section.apiKeyEnv}, got nothing`;
      file.problem(['engines', name, 'apiKeyEnv'], expected);
    }
    if (section) sections[name] = { ...section, ...(apiKey && { apiKey }) };
  }
  return sections;
}

function asList(names: string | string[]): string[] {
  return typeof names === 'string' ? [names] : names;
}

function withLists(engines: EnginesFile, sections: Readonly<Record<string, object>>): Omit<Engines, 'httpTools'> {
  const { stt, tts, reply, document, httpTools: _, ...rest } = engines;
  return {
    ...rest,
    stt: { en: asList(stt.en), ar: asList(stt.ar) },
    tts: asList(tts),
    reply: asList(reply),
    document: asList(document),
    ...sections,
  };
}
