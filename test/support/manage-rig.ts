import type { FastifyInstance } from 'fastify';
import { runAsText } from '../../src/agent-tests/text-run.ts';
import { buildApp } from '../../src/api/app.ts';
import { TalkTokens } from '../../src/api/socket-tokens.ts';
import { SpeechEncoders } from '../../src/audio/codecs/speech-encoders.ts';
import type { LiveCall } from '../../src/call/call-registry.ts';
import { loadConfig, SHIPPED_CONFIG_DIR } from '../../src/config/load.ts';
import { loadVoices } from '../../src/config/voices.ts';
import type { Agent } from '../../src/core/agent.ts';
import { ErrorRing } from '../../src/core/error-ring.ts';
import { type Logger, silentLogger } from '../../src/core/logger.ts';
import { SCOPES, type Scope } from '../../src/core/management.ts';
import { createMetrics } from '../../src/core/metrics.ts';
import { notice } from '../../src/core/notice.ts';
import { CompiledAgents } from '../../src/engines/reply/compiled-agent.ts';
import { createScriptedReplyEngine } from '../../src/engines/reply/scripted-dialogue.ts';
import { createScriptChecker } from '../../src/engines/text/coverage/script-report.ts';
import { createNormalizer } from '../../src/engines/text/normalize/speakable-normalizer.ts';
import { ScriptedTts } from '../../src/engines/tts/scripted.ts';
import { AgentDesk } from '../../src/manage/agent-desk.ts';
import type { ManageDeps } from '../../src/manage/deps.ts';
import { EngineDesk } from '../../src/manage/engine-desk.ts';
import { LiveFeed } from '../../src/manage/live-feed.ts';
import { manageApi } from '../../src/manage/manage-api.ts';
import { type PasswordCost, Passwords } from '../../src/manage/passwords.ts';
import { TestDesk } from '../../src/manage/test-desk.ts';
import { VoiceDesk } from '../../src/manage/voice-desk.ts';
import { DialDesk } from '../../src/outbound/dial-desk.ts';
import { RecordingFiles } from '../../src/recordings/recording-files.ts';
import { RecordingLibrary } from '../../src/recordings/recording-library.ts';
import type { Store } from '../../src/store/store.ts';
import { mayCallBy } from '../../src/trunks/may-call.ts';
import { FakeClock } from './fake-clock.ts';
import { ManageDocument } from './manage-document.ts';
import { openTestStore } from './postgres-store.ts';
import { learntBefore } from './reply-agents.ts';

/** Calls out as they are configured, at every hour. */
const CONFIGURED = loadConfig({ env: {} }).outbound;
const EVERY_HOUR = { ...CONFIGURED.callingHours, from: '00:00', to: '24:00' };
const OUTBOUND = { ...CONFIGURED, callingHours: EVERY_HOUR };

const VOICES = loadVoices(`${SHIPPED_CONFIG_DIR}/voices.yaml`);
const MEDIA = { calls: 0, capacity: 400, threads: 1, cpuPercent: 1.5, tickLatenessP99Ms: 0.2 };

/** A hundred people sign in, and each would take a tenth of a second of processor: the least that argon2id allows. */
const QUICK_PASSWORDS: PasswordCost = {
  ...{ memoryKib: 8, passes: 1 },
  nobodys: '$argon2id$v=19$m=8,t=1,p=1$4NnVBHKws3yhApY9JjxHkQ$fv6QCwCUPFro3pIV0CbV/Rmhm0vCzNgRLqxG/TtSAqc',
};

export interface Answered<B = Record<string, never>> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: B;
  readonly text: string;
}
export interface ManageRequest {
  readonly key?: string | null;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ManageRig {
  readonly store: Store;
  readonly app: FastifyInstance;
  readonly clock: FakeClock;
  readonly url: string;
  readonly accountId: string;
  readonly otherAccountId: string;
  /** A key with every scope, of the account; `otherKey` is one of the other account, without that of operators. */
  readonly key: string;
  readonly otherKey: string;
  readonly document: ManageDocument;
  readonly dataFolder: string;
  /** What a process beside it opens its database with. */
  readonly databaseUrl: string;
  /** Calls that go on, for the API. */
  readonly live: LiveCall[];
  readonly feed: LiveFeed;
  readonly agentDesk: AgentDesk;
  readonly talkTokens: TalkTokens;
  /** Operations that have changed something without a word in the audit log. */
  unaudited(): Promise<readonly string[]>;
  keyWith(...scopes: readonly Scope[]): Promise<string>;
  /** `GET /agents`: what the gateway answers over HTTP, below `/manage/v1`; with the key of the account, unless another is given. */
  ask<B = Record<string, never>>(what: string, request?: ManageRequest): Promise<Answered<B>>;
  close(): Promise<void>;
}

/** The management API over a database of its own, listening. */
export async function manageRig(
  parts: (store: Store, dataFolder: string) => Partial<ManageDeps> = () => ({}),
  logger: Logger = silentLogger,
): Promise<ManageRig> {
  const test = await openTestStore();
  const { store } = test;
  const clock = new FakeClock();
  const passwords = new Passwords(clock, QUICK_PASSWORDS);
  const account = await store.accounts.create('First');
  const other = await store.accounts.create('Second');
  const keyOf = async (accountId: string, scopes: readonly Scope[]): Promise<string> =>
    (await store.managementKeys.create(accountId, scopes.join(' '), scopes)).secret;
  const key = await keyOf(account.id, SCOPES);
  const otherKey = await keyOf(
    other.id,
    SCOPES.filter((scope) => scope !== 'operator'),
  );
  const agents = new CompiledAgents(learntBefore);
  const agentDesk = new AgentDesk({
    ...{ clock, voices: VOICES, allowedHosts: [], defaultVoices: loadConfig({ env: {} }).speech.defaultVoice },
    pronunciation: createScriptChecker(),
    agents,
    openTryEngine: (onTurn) => {
      const prepare = async (agent: Agent): Promise<void> => void (await agents.prepare(agent));
      return { engine: createScriptedReplyEngine({ clock, agents, onTurn }), prepare };
    },
  });
  const { conversation, engines } = loadConfig({ env: {} });
  const settings = { ...conversation, backchannels: [] };
  const testDesk = new TestDesk({
    ...{ rows: store.agentTests, clock, logger },
    asText: (agent, tests, wish) => runAsText(agent, tests, { clock, logger, choice: engines, settings }, wish),
  });
  const dialDesk = new DialDesk({
    ...{ store, clock, settings: OUTBOUND, firstMinuteCents: 3, mayCall: mayCallBy(store.trunks) },
  });
  const live: LiveCall[] = [];
  const feed = new LiveFeed(clock);
  const talkTokens = new TalkTokens(clock);
  const tts = new ScriptedTts();
  const voiceDesk = new VoiceDesk({
    ...{ voices: VOICES, normalizer: createNormalizer(), speakingOf: () => tts, byDefault: 'local' },
    engines: { local: { name: 'scripted', place: 'local' }, remote: undefined },
  });
  const registry = { list: () => live };
  const forgetSoFar = (): Promise<boolean> => Promise.resolve(true);
  const recordings = new RecordingLibrary({
    files: new RecordingFiles(test.dataFolder),
    rows: store.recordings,
    keys: [],
  });
  const mp3 = new SpeechEncoders({ streamsMax: 2 });
  const deps: ManageDeps = {
    ...{
      store,
      clock,
      logger,
      version: '1.2.3',
      passwords,
      agentDesk,
      testDesk,
      dialDesk,
      recordings,
      mp3,
      registry,
      feed,
      voiceDesk,
    },
    ...{
      engineDesk: new EngineDesk({
        clock,
        members: [],
        voiceOf: () => undefined,
        compile: async () => undefined,
        say: async () => new Int16Array(),
      }),
    },
    queueDesk: {
      ...{ states: async () => [], failedJob: async () => undefined },
      ...{ retryFailed: async () => undefined, discardFailed: async () => undefined },
    },
    errors: new ErrorRing(),
    talk: { tokens: talkTokens, minuteCents: 3 },
    sip: {
      ...loadConfig({ env: {} }).sip,
      host: '0.0.0.0',
      listens: () => ({ port: 5060, rtpPorts: { min: 20_000, max: 20_100 } }),
    },
    ...{ refreshTrunks: async () => undefined, askHost: async () => ({ failed: notice('host.silent') }), forgetSoFar },
    documents: { accountBytesMax: 20 * 1024 * 1024, index: () => undefined },
    ...{ retention: loadConfig({ env: {} }).retention, countryCode: CONFIGURED.countryCode },
    ...{ webhookHosts: ['127.0.0.1'], tellWebhooks: () => undefined },
    system: async () => ({ parts: { sip: { state: 'ok' } }, media: MEDIA, dataFolder: test.dataFolder }),
    ...parts(store, test.dataFolder),
  };
  const app = buildApp({
    ...{ logger, metrics: createMetrics(), version: '1.2.3', readiness: async () => ({}) },
    manage: (scope) => manageApi(scope, deps),
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const document = new ManageDocument((await (await fetch(`${url}/manage/v1/openapi.json`)).json()) as never);
  const changes = new Set<string>();
  const ask = async <B>(what: string, request: ManageRequest = {}): Promise<Answered<B>> => {
    const [method = 'GET', path = ''] = what.split(' ');
    const presented = request.key === undefined ? key : request.key;
    const answer = await fetch(path.startsWith('/manage/') ? `${url}${path}` : `${url}/manage/v1${path}`, {
      method,
      headers: {
        ...(presented !== null && { authorization: `Bearer ${presented}` }),
        ...(request.body !== undefined && { 'content-type': 'application/json' }),
        ...request.headers,
      },
      ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
    });
    const text = await answer.text();
    judge(document, { method, path, status: answer.status, text, changes });
    const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true;
    return { status: answer.status, headers: answer.headers, text, body: (isJson ? JSON.parse(text) : {}) as B };
  };
  return {
    ...{
      feed,
      agentDesk,
      talkTokens,
      live,
      dataFolder: test.dataFolder,
      databaseUrl: test.databaseUrl,
      document,
      store,
      app,
      clock,
      url,
      accountId: account.id,
      otherAccountId: other.id,
      key,
      otherKey,
      ask,
    },
    unaudited: async () => {
      const { rows } = await store.pool.query<{ action: string }>('SELECT DISTINCT action FROM audit_entries');
      const audited = new Set(rows.map(({ action }) => action));
      return [...changes].filter((id) => !audited.has(id) && !UNAUDITED.has(id));
    },
    keyWith: (...scopes) => keyOf(account.id, scopes),
    close: async () => {
      await app.close();
      await passwords.close();
      await mp3.close();
      await test.close();
    },
  };
}

/** They let somebody in, or only ask. */
const UNAUDITED = new Set([
  'signIn',
  'checkAgent',
  'tryAgent',
  'checkAgentTests',
  'runAgentTests',
  'previewVoice',
  'pingTrunk',
  'checkEngine',
]);

/** Every answer is one that the document has. */
function judge(
  document: ManageDocument,
  seen: { method: string; path: string; status: number; text: string; changes: Set<string> },
): void {
  const { method, path, status, text, changes } = seen;
  const described = document.find(method, path.startsWith('/manage/') ? path : `/manage/v1${path}`);
  if (!described) return;
  if (status < 400 && method !== 'GET') changes.add(described.id);
  const faults = Object.hasOwn(described.answers, status) || status === 206 ? [] : [`no answer ${status}: ${text}`];
  const json = described.answers[status];
  if (json) faults.push(...document.faults(json.schema, JSON.parse(text)));
  if (faults.length > 0) throw new Error(`${described.id}: ${faults.join('; ')}\n${text.slice(0, 2_000)}`);
}

/** As a browser on a page of the gateway asks: with the cookie that it was given last. */
export class Browser {
  cookie: string | undefined;
  constructor(private readonly rig: ManageRig) {}

  async ask<B = Record<string, never>>(what: string, request: ManageRequest = {}): Promise<Answered<B>> {
    const answer = await this.rig.ask<B>(what, {
      ...request,
      key: null,
      headers: {
        ...{ origin: this.rig.url, 'x-nidaa-console': '1' },
        ...(this.cookie !== undefined && { cookie: `theme=dark; ${this.cookie}` }),
        ...request.headers,
      },
    });
    const set = answer.headers.get('set-cookie');
    if (set !== null) this.cookie = /Max-Age=0/.test(set) ? undefined : set.split(';', 1)[0]!;
    return answer;
  }
}

/** Somebody of the account with a session. Attempts of other tests count no more. */
export async function signedIn(rig: ManageRig, email: string, role: string): Promise<Browser> {
  rig.clock.advance(600_000);
  const { body } = await rig.ask<{ link_secret: string }>('POST /people', { body: { email, role } });
  const browser = new Browser(rig);
  const used = await browser.ask('POST /session/link', {
    body: { secret: body.link_secret, password: 'three quiet palms' },
  });
  if (used.status !== 200) throw new Error(used.text);
  return browser;
}
