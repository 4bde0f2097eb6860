import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { hasCommand } from '../support/caller-voice.ts';
import { configFolder, GREETER } from '../support/config-folder.ts';
import { type FrontDoor, startShippedHaproxy, startShippedKamailio } from '../support/front-doors.ts';
import { type Gateway, prepared, ROOT, startGateway } from '../support/gateway.ts';
import { withStore } from '../support/gateway-store.ts';
import { moneyFaults, temporaryFolder } from '../support/postgres-store.ts';
import { sharedDatabase } from '../support/shared-postgres.ts';
import { load } from '../support/sipp.ts';
import { tone } from '../support/tones.ts';
import { until } from '../support/until.ts';

const missing = ['kamailio', 'haproxy', 'sipp'].filter((name) => !hasCommand(name));
if (missing.length > 0) console.warn(`\n!!! NO ROLLING RESTART IS TRIED: ${missing.join(', ')} not installed !!!\n`);

/**
 * As docker/contact-centre has it: the proxies see for ten seconds that a gateway goes before it takes nothing more. A busy machine is no reason
 * to refuse calls here: who is refused for that is refused whatever restarts.
 */
const SETTINGS = `node: { leaseSeconds: 6 }
shutdown: { leadSeconds: 10, drainSeconds: longest-call }
conversation: { noInputMs: 120000 }
media: { maxLatenessP99Ms: 50 }
`;
const PAUSE_MS = 250; // between two requests of one of two clients: their account may ask ten times a second
const CALLERS = { calls: 4, callsPerSecond: 1, talkMs: 3_000 } as const; // in a row, again and again
const SPEECH = tone(440, 8_000);
const MORE_MS_MAX = 120_000;

/** Callers by sipp through Kamailio, clients through HAProxy, as long as they are wanted. */
class Load {
  readonly done = { calls: 0, requests: 0 };
  readonly failed: string[] = [];
  readonly #running: Promise<unknown>[];
  #over = false;

  constructor(
    private readonly sip: FrontDoor,
    private readonly http: FrontDoor,
    private readonly token: string,
  ) {
    const clients = ['/v1/text/normalize', '/v1/text/coverage'].map((path) => this.#forever(() => this.#request(path)));
    this.#running = [this.#forever(() => this.#calls()), this.#forever(() => this.#calls()), ...clients];
  }

  /** Until calls have ended and requests were answered that began after now. */
  async more(): Promise<void> {
    const { calls, requests } = this.done;
    await until(
      () => this.done.calls > calls + 4 * CALLERS.calls && this.done.requests > requests + 20,
      () => `more calls and requests; failed: ${this.failed.join('\n')}`,
      MORE_MS_MAX,
    );
  }
  async end(): Promise<void> {
    this.#over = true;
    await Promise.all(this.#running);
  }

  async #forever(work: () => Promise<void>): Promise<void> {
    while (!this.#over) await work().catch((error: unknown) => this.failed.push(String(error)));
  }

  async #calls(): Promise<void> {
    const target = `127.0.0.1:${this.sip.port}`;
    const { successful, failed, errors } = await load({ ...CALLERS, target, number: '1000', speech: SPEECH });
    this.done.calls += successful;
    if (failed !== 0 || successful !== CALLERS.calls) this.failed.push(`${failed} calls failed: ${errors}`);
  }

  async #request(path: string): Promise<void> {
    await sleep(PAUSE_MS);
    const answer = await fetch(`http://127.0.0.1:${this.http.port}${path}`, {
      ...{ method: 'POST', body: JSON.stringify({ text: 'Room 12.' }) },
      headers: { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' },
    });
    const text = await answer.text();
    if (answer.status !== 200)
      this.failed.push(`${new Date().toISOString()} ${path}: ${answer.status} ${text.slice(0, 60)}`);
    else this.done.requests += 1;
  }
}

describe.skipIf(missing.length > 0)('a rolling restart behind kamailio and haproxy, under calls and requests', () => {
  const gateways: Gateway[] = [];
  const doors: FrontDoor[] = [];
  let databaseUrl: string;
  let config: ReturnType<typeof configFolder>;

  /** @param before - whose place it takes: folder and addresses. */
  const start = async (before?: Gateway): Promise<Gateway> => {
    const same = (name: string): Record<string, string> => (before ? { [name]: before.env[name]! } : {});
    const gateway = await startGateway({
      ...{ databaseUrl, dataDir: before?.dataDir ?? temporaryFolder() },
      env: { NIDAA_CONFIG: `${config.dir}/nidaa.yaml`, ...same('NIDAA_SIP_PORT'), ...same('NIDAA_HTTP_PORT') },
    });
    gateways.push(gateway);
    await prepared(gateway);
    return gateway;
  };
  const begun = (gateway: Gateway): number => gateway.log().split('"call started"').length - 1;

  beforeAll(async () => {
    databaseUrl = await sharedDatabase(inject('postgresDesk'));
    config = configFolder({ ...GREETER, 'nidaa.yaml': SETTINGS });
  });
  afterAll(async () => {
    for (const door of doors) await door.close();
    for (const gateway of gateways) await gateway.stop('SIGKILL');
    for (const { dataDir } of gateways) rmSync(dataDir, { recursive: true, force: true });
    config?.remove();
  });

  it('haproxy takes its configuration', () => {
    const files = ['haproxy.cfg', 'gateways.cfg'].flatMap((name) => ['-f', join(ROOT, 'docker/haproxy', name)]);
    const { status, stderr } = spawnSync('haproxy', ['-c', ...files], { encoding: 'utf8' });
    expect([status, stderr.match(/WARNING|ALERT/)]).toEqual([0, null]);
  });

  it('loses no call and no request, and every call is booked once', async () => {
    const old = [await start(), await start()];
    const sip = await startShippedKamailio(old.map(({ sipPort }) => sipPort));
    doors.push(sip);
    const http = await startShippedHaproxy(old.map(({ api }) => api));
    doors.push(http);
    const traffic = new Load(sip, http, old[0]!.token);
    try {
      await traffic.more();
      for (const gateway of old) {
        expect(await gateway.stop()).toBe(0);
        await traffic.more(); // the other one alone
        const next = await start(gateway);
        await until(() => begun(next) > 0, 'it is called again', MORE_MS_MAX);
        await traffic.more();
      }
    } finally {
      await traffic.end();
    }
    console.log(
      `rolling restart: ${traffic.done.calls} calls, ${traffic.done.requests} requests, ${traffic.failed.length} failed`,
    );
    const refused = await withStore(gateways.at(-1)!, async ({ pool }) => {
      const { rows } = await pool.query<{ why: string }>(
        `SELECT at || ' ' || detail AS why FROM refused_calls ORDER BY at`,
      );
      return rows.map(({ why }) => why).join('\n');
    });
    expect(traffic.failed, `${refused}\n${sip.log()}`).toEqual([]);
    for (const gateway of gateways) expect(begun(gateway)).toBeGreaterThan(0);

    const rows = await withStore(gateways.at(-1)!, async ({ pool }) => {
      const { rows } = await pool.query<{ reason: string; booked: number; count: number }>(
        `SELECT end_reason AS reason, (SELECT count(*)::int FROM ledger WHERE id LIKE calls.id || '/minute/%') AS booked, count(*)::int AS count
         FROM calls GROUP BY 1, 2`,
      );
      return rows;
    });
    // What a gateway did not take in time was taken by the next one, and costs nothing.
    expect(rows.filter(({ booked }) => booked > 0)).toEqual([
      { reason: 'caller-hangup', booked: 1, count: traffic.done.calls },
    ]);
    expect(await withStore(gateways.at(-1)!, moneyFaults)).toEqual([]);
  }, 900_000);
});
