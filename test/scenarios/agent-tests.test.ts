import { randomInt } from 'node:crypto';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import type { AgentDefinition } from '../../src/core/agent.ts';
import { sphinxInstalled } from '../../src/engines/stt/model-folder.ts';
import { hasCommand } from '../support/caller-voice.ts';
import type { RunningGateway } from '../support/gateway.ts';
import { withStore } from '../support/gateway-store.ts';
import { sharedGateway } from '../support/shared-gateway.ts';
import { until } from '../support/until.ts';

const DEFINITION: AgentDefinition = {
  ...{ name: 'Tested orders', language: 'en-US', voice: 'emma', model: 'sada-1' },
  greeting: { en: 'Hello. How can I help you?' },
  intents: [{ name: 'track', examples: { en: ['where is my order', 'track my order'] }, flow: 'track' }],
  flows: [
    {
      name: 'track',
      slots: [
        { name: 'order', type: 'digits', minDigits: 4, maxDigits: 4, prompts: { en: ['What is your order number?'] } },
      ],
      actions: [{ type: 'say', text: { en: 'Order {{order}} is on its way.' } }],
    },
  ],
};
const YAML = `dialogues:
  - name: by voice
    steps:
      - agent: { contains: how can i help, action: none }
      - caller: track my order
        agent: { contains: order number, intent: track, within_ms: 60000 }
  - name: on a day of its own
    now: 2026-11-22T10:00
    steps:
      - caller: track my order
        agent: { contains: order number }
`;

interface Run {
  readonly id: string;
  readonly state: string;
  readonly why: string | null;
  readonly dialogues: {
    outcome: string;
    why: string | null;
    first_fault: string | null;
    turns: { ms: number | null }[];
  }[];
}

const missing = !hasCommand('espeak-ng') || !sphinxInstalled();
if (missing) console.warn('\n!!! NO AGENT IS TESTED BY VOICE: espeak-ng or pocketsphinx not installed !!!\n');

describe.skipIf(missing)('tests of an agent by telephone', () => {
  let gateway: RunningGateway;
  let agentId: string;
  let key: string;
  beforeAll(async () => {
    gateway = await sharedGateway(inject('gatewayDesk'));
    await withStore(gateway, async ({ accounts, agents, charges, managementKeys, numbers }) => {
      const { id } = await accounts.create(DEFINITION.name);
      await charges.topup(`${id}/credit`, id, 1_000, 'topup', 'of a test');
      agentId = (await agents.create(id, DEFINITION, 'live')).id;
      await numbers.assignIfFree(`7${randomInt(1e8, 1e9)}`, id, agentId);
      key = (await managementKeys.create(id, 'tests', ['read', 'agents'])).secret;
    });
  });
  const ask = async (what: string, body?: object): Promise<Run> => {
    const answer = await fetch(`${gateway.api}/manage/v1/agents/${agentId}/${what}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    return (await answer.json()) as Run;
  };

  it('are held by the gateway with itself: understood, answered, and timed on the wire', async () => {
    const begun = await ask('tests/run', { mode: 'voice', yaml: YAML });
    expect(begun.state).toBe('running');
    let run = begun;
    const isOver = async (): Promise<boolean> => {
      run = await ask(`test-runs/${begun.id}`);
      return run.state !== 'running';
    };
    await until(isOver, () => JSON.stringify(run), 90_000);
    expect(run).toMatchObject({
      why: null,
      dialogues: [{ first_fault: null, outcome: 'passed' }, { outcome: 'skipped' }],
    });
    expect(run.dialogues[1]!.why).toMatch(/its day is fixed/);
    for (const { ms } of run.dialogues[0]!.turns) expect(ms).toBeGreaterThanOrEqual(0);
    expect(run.state).toBe('passed');
  }, 120_000);
});
