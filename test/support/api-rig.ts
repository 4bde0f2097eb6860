import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { buildApp } from '../../src/api/app.ts';
import type { ApiDeps, ServiceDeps } from '../../src/api/deps.ts';
import { SocketTokens, TalkTokens } from '../../src/api/socket-tokens.ts';
import { ClipDecoder } from '../../src/audio/codecs/clip-decoder.ts';
import { SpeechEncoders } from '../../src/audio/codecs/speech-encoders.ts';
import { wavFile } from '../../src/audio/wav.ts';
import { DEFAULT_PRICES } from '../../src/billing/prices.ts';
import { SHIPPED_CONFIG_DIR } from '../../src/config/load.ts';
import { loadVoices } from '../../src/config/voices.ts';
import type { Agent } from '../../src/core/agent.ts';
import { ServiceError } from '../../src/core/errors.ts';
import { type Logger, silentLogger } from '../../src/core/logger.ts';
import { createMetrics } from '../../src/core/metrics.ts';
import { ScriptedReplies } from '../../src/engines/reply/scripted.ts';
import { createScriptedStt } from '../../src/engines/stt/scripted.ts';
import { createNormalizer } from '../../src/engines/text/normalize/speakable-normalizer.ts';
import { ScriptedTts } from '../../src/engines/tts/scripted.ts';
import type { NewCharge } from '../../src/store/charge-rows.ts';
import type { IdempotencyOutcome } from '../../src/store/idempotency.ts';
import type { IdempotentRequest, StoredAnswer } from '../../src/store/idempotent-request.ts';
import { compileSchemasOnce } from './compiled-once.ts';
import { FakeClock } from './fake-clock.ts';

export const TOKEN = 'service_sk_live_one';
export const OTHER_TOKEN = 'service_sk_live_two';
export const ACCOUNT = 'acc_one';
export const OTHER_ACCOUNT = 'acc_two';

const IDENTITIES: Readonly<Record<string, { accountId: string; tokenId: string }>> = {
  [TOKEN]: { accountId: ACCOUNT, tokenId: 'tok_one' },
  [OTHER_TOKEN]: { accountId: OTHER_ACCOUNT, tokenId: 'tok_two' },
};

export function testAgent(id: string, fields: Partial<Agent> = {}): Agent {
  return {
    id,
    accountId: ACCOUNT,
    version: 1,
    status: 'live',
    updatedAt: new Date(Date.UTC(2026, 0, 2, 3, 4, 5, 678)),
    definition: {
      name: `Agent ${id}`,
      language: 'en-US',
      voice: 'emma',
      model: 'sada-1',
      greeting: { en: 'Welcome {{name}}.' },
      variables: { name: 'friend' },
    },
    ...fields,
  };
}

/** Money in memory, with the ledger's rules: hold, then book or give back; never below what is free. */
export class MemoryLedger {
  readonly balances = new Map([
    [ACCOUNT, 1_000],
    [OTHER_ACCOUNT, 1_000],
  ]);
  readonly charges = new Map<string, NewCharge & { state: 'reserved' | 'settled' | 'released'; booked: number }>();

  held(accountId: string): number {
    return [...this.charges.values()]
      .filter((charge) => charge.accountId === accountId && charge.state === 'reserved')
      .reduce((sum, charge) => sum + charge.cents, 0);
  }
  /** What the account has paid so far. */
  spent(accountId = ACCOUNT): number {
    return [...this.charges.values()]
      .filter((charge) => charge.accountId === accountId)
      .reduce((sum, charge) => sum + charge.booked, 0);
  }
  async balance(accountId: string) {
    const balanceCents = this.balances.get(accountId);
    if (balanceCents === undefined) return undefined;
    const reservedCents = this.held(accountId);
    return { balanceCents, reservedCents, availableCents: balanceCents - reservedCents };
  }
  async reserve(charge: NewCharge) {
    const balance = await this.balance(charge.accountId);
    if (this.charges.has(charge.id)) return 'duplicate' as const;
    if (!balance) return 'unknown-account' as const;
    if (balance.availableCents < charge.cents) return 'insufficient-credit' as const;
    this.charges.set(charge.id, { ...charge, state: 'reserved', booked: 0 });
    return 'reserved' as const;
  }
  async raise(id: string, cents: number) {
    const charge = this.charges.get(id)!;
    const balance = await this.balance(charge.accountId);
    if (balance!.availableCents < cents - charge.cents) return 'insufficient-credit' as const;
    this.charges.set(id, { ...charge, cents: Math.max(cents, charge.cents) });
    return 'raised' as const;
  }
  async settle(id: string, cents: number) {
    const charge = this.charges.get(id)!;
    if (charge.state !== 'reserved') return charge.booked;
    this.charges.set(id, { ...charge, state: 'settled', booked: cents });
    this.balances.set(charge.accountId, this.balances.get(charge.accountId)! - cents);
    return cents;
  }
  async release(id: string) {
    const charge = this.charges.get(id)!;
    if (charge.state === 'reserved') this.charges.set(id, { ...charge, state: 'released' });
  }
  async charge(charge: NewCharge) {
    const outcome = await this.reserve(charge);
    if (outcome !== 'reserved') return { outcome: 'insufficient-credit' as const, cents: 0, shortfallCents: 0 };
    return { outcome: 'settled' as const, cents: await this.settle(charge.id, charge.cents), shortfallCents: 0 };
  }
  async paidBy(owner: string) {
    return [...this.charges.values()]
      .filter((charge) => charge.owner === owner)
      .reduce((sum, charge) => sum + charge.booked, 0);
  }
}

/** Idempotency keys in memory. */
export class MemoryKeys {
  readonly rows = new Map<string, { request: IdempotentRequest; answer?: StoredAnswer }>();
  readonly #key = (request: IdempotentRequest): string => `${request.accountId} ${request.path} ${request.key}`;
  async begin(request: IdempotentRequest): Promise<IdempotencyOutcome> {
    const row = this.rows.get(this.#key(request));
    if (!row) {
      this.rows.set(this.#key(request), { request });
      return { type: 'started' };
    }
    if (!row.request.requestSha256.equals(request.requestSha256)) return { type: 'mismatch' };
    return row.answer ? { type: 'replay', answer: row.answer } : { type: 'running' };
  }
  async complete(request: IdempotentRequest, answer: StoredAnswer): Promise<void> {
    this.rows.set(this.#key(request), { request, answer });
  }
  async abandon(request: IdempotentRequest): Promise<void> {
    this.rows.delete(this.#key(request));
  }
}

export interface ApiRig {
  readonly app: FastifyInstance;
  readonly clock: FakeClock;
  readonly ledger: MemoryLedger;
  readonly keys: MemoryKeys;
  readonly tts: ScriptedTts;
  readonly replies: ScriptedReplies;
  readonly deps: ServiceDeps;
  /** A request with the token of the first account. */
  send(request: Sent): Promise<LightMyRequestResponse>;
}
export interface Sent {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'OPTIONS' | 'HEAD';
  readonly url: string;
  readonly body?: object | string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  readonly token?: string | null;
}

export interface RigOptions {
  readonly service?: Partial<ServiceDeps>;
  readonly settings?: Partial<ServiceDeps['settings']>;
  readonly agents?: readonly Agent[];
  readonly logger?: Logger;
  readonly streams?: NonNullable<ApiDeps['streams']>;
}

compileSchemasOnce();
const VOICES = loadVoices(`${SHIPPED_CONFIG_DIR}/voices.yaml`);

/** The whole API over scripted engines and money in memory. */
export function apiRig(options: RigOptions = {}): ApiRig {
  const clock = new FakeClock();
  const ledger = new MemoryLedger();
  const keys = new MemoryKeys();
  const tts = new ScriptedTts({ msPerChar: 5, failOn: { FAIL_AT_ONCE: 'at-once', FAIL_MIDWAY: 'midway' } });
  const replies = new ScriptedReplies([{ text: 'How can I help you?' }]);
  const [encoders, decoder] = [new SpeechEncoders(), new ClipDecoder()];
  const agents = options.agents ?? [testAgent('agt_one')];
  const deps: ServiceDeps = {
    clock,
    settings: {
      ...{ requestsPerMinute: 600_000, requestBurst: 100_000, requestsInFlightPerAccount: 1_000 },
      ...{ corsOrigins: [], gateAgentsList: true, defaultVoice: { ar: 'noura', en: 'emma' } },
      ...options.settings,
    },
    tokens: { authenticate: async (token) => IDENTITIES[token ?? ''] },
    agents: {
      list: async (accountId) => agents.filter((agent) => agent.accountId === accountId),
      get: async (accountId, id) => agents.find((agent) => agent.id === id && agent.accountId === accountId),
    },
    idempotency: keys,
    ...{ ledger, charges: ledger, prices: DEFAULT_PRICES, tts, reply: replies },
    voices: VOICES,
    socketTokens: new SocketTokens(clock),
    talkTokens: new TalkTokens(clock),
    stt: createScriptedStt({ texts: ['hello there', 'second piece'], languages: ['en-US', 'en-GB'] }),
    normalizer: createNormalizer(),
    coverage: {
      check: (text) => ({ language: 'en', token_count: text.length, flagged_count: 0, coverage: 1, flagged: [] }),
    },
    redactor: {
      redact: (text) => {
        if (text.includes('BREAK')) throw new Error(text);
        return { redacted: text, findings: [], verdict: 'allow' };
      },
    },
    documents: {
      ask: async ({ question }) => {
        if (question.includes('BREAK')) throw new ServiceError('answer_failed');
        return { answer: 'Thirty days.', quotes: ['Leave is thirty days.'], answered: true };
      },
    },
    ...{ encoders, decoder },
    ...options.service,
  };
  const app = buildApp({
    logger: options.logger ?? silentLogger,
    metrics: createMetrics(),
    version: '1.2.3',
    readiness: async () => ({}),
    service: deps,
    ...(options.streams && { streams: options.streams }),
  });
  app.addHook('onClose', () => Promise.all([encoders.close(), decoder.close()]).then(() => {}));
  const send = ({ method = 'POST', url, body, headers = {}, token = TOKEN }: Sent) =>
    app.inject({
      method,
      url,
      headers: { ...(token !== null && { authorization: `Bearer ${token}` }), ...headers },
      ...(body !== undefined && { payload: body }),
    });
  return { app, clock, ledger, keys, tts, replies, deps, send };
}

/** A WAV file with a tone in it. */
export function clip(seconds: number, sampleRateHz = 8_000): Buffer {
  const length = Math.round(seconds * sampleRateHz);
  const samples = Int16Array.from({ length }, (_, i) => Math.round(6_000 * Math.sin(i / 5)));
  return wavFile({ channels: 1, sampleRateHz }, samples);
}

/** A form with a file, as a browser sends it. */
export function form(
  file: { readonly bytes: Uint8Array; readonly type?: string; readonly name?: string } | undefined,
  fields: Readonly<Record<string, string>> = {},
  partName = 'file',
): { readonly body: Buffer; readonly headers: Record<string, string> } {
  const boundary = '----testboundary';
  const parts: Buffer[] = [];
  for (const [name, value] of Object.entries(fields)) {
    parts.push(Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`));
  }
  if (file) {
    const { bytes, type = 'audio/wav', name = 'clip.wav' } = file;
    const head = `Content-Disposition: form-data; name="${partName}"; filename="${name}"\r\nContent-Type: ${type}`;
    parts.push(Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`), Buffer.from(bytes), Buffer.from('\r\n'));
  }
  parts.push(Buffer.from(`--${boundary}--\r\n`));
  return { body: Buffer.concat(parts), headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } };
}
