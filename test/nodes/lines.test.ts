import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { configFolder, GREETER } from '../support/config-folder.ts';
import { type Gateway, nidaa, prepared, startGateway } from '../support/gateway.ts';
import { withStore } from '../support/gateway-store.ts';
import { moneyFaults, temporaryFolder } from '../support/postgres-store.ts';
import { sharedDatabase } from '../support/shared-postgres.ts';
import { until } from '../support/until.ts';
import { VoicePhone } from '../support/voice-phone.ts';

const LINES = 2;
const LEASE_MS_MAX = 180_000; // of a gateway that was killed, until the other one closes its calls
const TONE_HZ = 440;

/** What gateways give one account is given once, by whichever of them. */
describe('the lines of an account', () => {
  const folders = [temporaryFolder(), temporaryFolder()];
  const nodes: Gateway[] = [];
  const phones: VoicePhone[] = [];
  let config: ReturnType<typeof configFolder>;

  beforeAll(async () => {
    const databaseUrl = await sharedDatabase(inject('postgresDesk'));
    config = configFolder({
      ...GREETER,
      'nidaa.yaml': `node: { leaseSeconds: 20 }
conversation: { maxCallsPerAccount: ${LINES} }
`,
    });
    for (const dataDir of folders) {
      nodes.push(await startGateway({ databaseUrl, dataDir, env: { NIDAA_CONFIG: `${config.dir}/nidaa.yaml` } }));
      await prepared(nodes.at(-1)!);
    }
  });
  afterAll(async () => {
    for (const phone of phones) phone.close();
    for (const node of nodes) await node.stop('SIGKILL');
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    config?.remove();
  });

  /** @returns the phone that talks, or the status line of who was refused. */
  async function call({ sipPort, sip }: Gateway): Promise<VoicePhone | string> {
    const phone = await VoicePhone.open(sipPort);
    phones.push(phone);
    try {
      await phone.call(sip, TONE_HZ);
      return phone;
    } catch (error) {
      return (error as Error).message;
    }
  }
  const refusals = (): Promise<readonly string[]> =>
    withStore(nodes[1]!, async ({ pool }) => {
      const { rows } = await pool.query<{ detail: string }>('SELECT detail FROM refused_calls');
      return rows.map(({ detail }) => detail);
    });
  const open = (): Promise<number> =>
    withStore(nodes[1]!, async ({ pool }) => {
      const { rows } = await pool.query<{ open: number }>(
        'SELECT count(*)::int AS open FROM calls WHERE ended_at IS NULL',
      );
      return rows[0]!.open;
    });

  it('are the same over two gateways; those of one that dies are in use until its calls are closed', async () => {
    const [first, second] = nodes as [Gateway, Gateway];
    expect(await call(first)).toBeInstanceOf(VoicePhone);
    const talks = await call(second);
    expect(talks).toBeInstanceOf(VoicePhone);
    for (const node of nodes) expect(await call(node)).toMatch(/^refused: SIP\/2\.0 503 /);
    await until(async () => (await refusals()).length === nodes.length, 'what was refused');
    expect(new Set(await refusals())).toEqual(new Set(['every line of this account is in use']));

    await (talks as VoicePhone).hangUp();
    await until(async () => (await open()) === 1, 'the end of a call');
    await first.stop('SIGKILL');
    expect(await call(second)).toBeInstanceOf(VoicePhone);
    expect(await call(second)).toMatch(/^refused: SIP\/2\.0 503 /); // the dead one's call is taken for one that goes on
    await until(async () => (await open()) === 1, 'the close of what the dead one left', LEASE_MS_MAX);
    expect(await call(second)).toBeInstanceOf(VoicePhone);
    expect((await nidaa(second, 'nodes')).code).toBe(0);
    expect(await withStore(second, moneyFaults)).toEqual([]);
  });
});
