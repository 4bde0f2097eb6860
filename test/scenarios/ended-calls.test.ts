import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { queryObjects } from 'node:v8';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { ensureDemo } from '../../src/billing/demo.ts';
import { CallSession } from '../../src/call/call-session.ts';
import { Conversation } from '../../src/call/conversation.ts';
import { SpeechInput } from '../../src/call/speech-input.ts';
import { Utterance } from '../../src/call/speech-output.ts';
import { Phone } from '../../src/cli/phone.ts';
import { type Gateway, startGateway } from '../../src/compose.ts';
import { loadAgents } from '../../src/config/agents.ts';
import { loadConfig } from '../../src/config/load.ts';
import { loadVoices } from '../../src/config/voices.ts';
import { silentLogger } from '../../src/core/logger.ts';
import { EventChannel } from '../../src/engines/stt/event-channel.ts';
import { SphinxStream } from '../../src/engines/stt/sphinx-stream.ts';
import { FrameDetector } from '../../src/engines/vad/frame-detector.ts';
import { ThreadedMediaPort } from '../../src/media/plane/threaded-media-port.ts';
import { SipLeg } from '../../src/sip/leg.ts';
import { freeTcpPort, freeUdpRange } from '../support/ports.ts';
import { EVERY_TEST } from '../support/property-runs.ts';
import { sharedDatabase } from '../support/shared-postgres.ts';
import { joined, readClip, silence } from '../support/speech-clips.ts';
import { until } from '../support/until.ts';
import { isSignedBy, type WebhookReceiver, webhookReceiver } from '../support/webhook-receiver.ts';

/** One of each belongs to a call, or some; the caller's own are in this process too. */
const OF_A_CALL = {
  ...{ CallSession, Conversation, SpeechInput, Utterance, FrameDetector, SphinxStream, EventChannel },
  ...{ ThreadedMediaPort, SipLeg }, // not the dialog of the SIP server, which answers late messages for half a minute
};
const CALLS = 3;
/** Those of the last calls may be held by a promise or a frame that nobody looks at again. */
const LEFT_MAX = 2;
/** Every look collects all garbage and walks the whole heap. */
const LOOK_EVERY_MS = 2_500;

/** What all of them are from now on, so that one look finds all of them. */
class OfACall {}

function markAll(): void {
  for (const { prototype } of Object.values(OF_A_CALL)) {
    expect(Object.getPrototypeOf(prototype)).toBe(Object.prototype); // nothing else is taken for one of them
    Object.setPrototypeOf(prototype, OfACall.prototype);
  }
}

/** How many of each class there are. */
function countAll(): Map<string, number> {
  const counts = new Map(Object.keys(OF_A_CALL).map((name) => [name, 0]));
  for (const shown of queryObjects(OfACall, { format: 'summary' })) {
    const name = /^(?:<ref \*\d+> )?(\w+)/.exec(shown)?.[1] ?? '';
    const count = counts.get(name);
    if (count !== undefined) counts.set(name, count + 1);
  }
  return counts;
}

const dataDir = mkdtempSync(join(tmpdir(), 'nidaa-ended-'));
let gateway: Gateway;
let phone: Phone;
let receiver: WebhookReceiver;

beforeAll(async () => {
  markAll();
  const rtp = await freeUdpRange(200);
  const config = loadConfig({
    env: {
      ...{ NIDAA_HOST: '127.0.0.1', NIDAA_SIP_PORT: '0', NIDAA_METRICS_PORT: '0', NIDAA_DATA_DIR: dataDir },
      ...{ NIDAA_HTTP_PORT: String(await freeTcpPort()), NIDAA_RTP_PORTS: `${rtp}-${rtp + 199}` },
      DATABASE_URL: await sharedDatabase(inject('postgresDesk')),
    },
  });
  receiver = await webhookReceiver();
  gateway = await startGateway({ ...config, webhooks: { allowedHosts: ['127.0.0.1'] } }, silentLogger, 'test');
  await gateway.open();
  const [agent] = loadAgents(config.paths.agentsDir, loadVoices(config.paths.voicesFile)).filter(
    ({ number }) => number === '1000',
  );
  if (!agent) throw new Error('no agent 1000');
  await ensureDemo(gateway.store, {
    ...{ accountName: 'Demo', creditCents: 10_000, agents: [agent.definition] },
    numbers: { 1000: agent.definition.name },
  });
  phone = await Phone.open({ address: '127.0.0.1', logger: silentLogger });
}, 120_000);

afterAll(async () => {
  await phone?.close();
  await receiver?.close();
  await gateway?.close();
  rmSync(dataDir, { recursive: true, force: true });
}, 120_000);

/** One for programs that are told of every call. */
async function webhookOf(): Promise<string> {
  const [{ id } = { id: '' }] = await gateway.store.accounts.list();
  const events = ['call.started', 'call.answered', 'call.ended'] as const;
  const made = await gateway.store.webhooks.create(id, { url: receiver.url, events, description: '', enabled: true });
  if (made === 'full') throw new Error('no room for a webhook');
  return made.secret;
}

it.runIf(EVERY_TEST)(
  'keeps nothing of a call that has ended, and has told of it',
  async () => {
    const secret = await webhookOf();
    const samples = joined(silence(200), readClip('phrases/slt_06.wav'), silence(300));
    for (let call = 0; call < CALLS; call += 1) {
      const report = await phone.call({
        ...{ uri: `sip:1000@${gateway.sipAddress}`, from: 'caller', patienceMs: 300, maxMs: 3_000 },
        steps: [{ type: 'speak', samples, label: 'a question', interrupt: true }],
      });
      expect(report.answered).toBe(true);
    }
    const ended = () => receiver.received.filter(({ json }) => json.type === 'call.ended');
    await until(() => ended().length === CALLS, 'the ends of all calls at the receiver');
    for (const message of ended()) {
      expect(isSignedBy(message, secret)).toBe(true);
      const { id, turns, cost_cents: cost } = message.json.data as { id: string; turns: object[]; cost_cents: number };
      const kept = await gateway.store.calls.get(id);
      expect([turns.length, cost]).toEqual([kept!.turns.length, kept!.call.costCents]);
      expect(cost).toBeGreaterThan(0);
      expect(turns.length).toBeGreaterThan(0);
      const all = receiver.received.filter(({ json }) => json.data['id'] === id).map(({ json }) => json.type);
      expect(all.sort()).toEqual(['call.answered', 'call.ended', 'call.started']);
    }
    let left: [string, number][] = [];
    await until(
      async () => {
        await sleep(LOOK_EVERY_MS);
        left = [...countAll()].filter(([, count]) => count > LEFT_MAX);
        return left.length === 0;
      },
      () => JSON.stringify(left),
    );
  },
  180_000,
);
