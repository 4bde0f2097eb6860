import { rmSync } from 'node:fs';
import { configFolder, GREETER } from './config-folder.ts';
import { type Gateway, prepared, startGateway } from './gateway.ts';
import { type Place, withStore } from './gateway-store.ts';
import { moneyFaults, temporaryFolder } from './postgres-store.ts';
import { TcpRelay } from './tcp-relay.ts';
import { UdpCaller } from './udp-caller.ts';
import { until } from './until.ts';
import { VoicePhone } from './voice-phone.ts';

export const TONE_HZ = 440;
const HEARD_PACKETS = 25;

/** Gateways on one database, and who calls them, until `close`. */
export class SeveralGateways {
  readonly #open: (() => unknown)[] = [];

  /** @param settings - of each of them, as in nidaa.yaml. */
  constructor(private readonly settings: string) {}

  /** One more, when it is at rest. */
  async start(
    databaseUrl: string,
    { dataDir = temporaryFolder(), env = {} }: { dataDir?: string; env?: Readonly<Record<string, string>> } = {},
  ): Promise<Gateway> {
    const folder = configFolder({ ...GREETER, 'nidaa.yaml': this.settings });
    this.#open.push(() => folder.remove());
    this.#open.push(() => rmSync(dataDir, { recursive: true, force: true }));
    const gateway = await startGateway({
      ...{ dataDir, databaseUrl },
      env: { NIDAA_CONFIG: `${folder.dir}/nidaa.yaml`, ...env },
    });
    this.#open.push(() => gateway.stop('SIGKILL'));
    await prepared(gateway);
    return gateway;
  }

  /** A call that goes on: the agent is heard. */
  async talking(gateway: Gateway): Promise<VoicePhone> {
    const phone = await this.phone(gateway);
    await phone.call(gateway.sip, TONE_HZ);
    await stillHeard(phone);
    return phone;
  }
  async phone({ sipPort }: Gateway): Promise<VoicePhone> {
    const phone = await VoicePhone.open(sipPort);
    this.#open.push(() => phone.close());
    return phone;
  }

  /** The way of one gateway to the database. @returns it, and the address of the database over it. */
  async wayTo(databaseUrl: string): Promise<{ readonly relay: TcpRelay; readonly url: string }> {
    const { searchParams, username, pathname } = new URL(databaseUrl.replace('@/', '@socket/'));
    const relay = await TcpRelay.open(`${searchParams.get('host')}/.s.PGSQL.${searchParams.get('port')}`);
    this.#open.push(() => relay.close());
    return { relay, url: `postgresql://${username}@127.0.0.1:${relay.port}${pathname}` };
  }

  /** Ended, the last first, with this test. */
  also(close: () => unknown): void {
    this.#open.push(close);
  }
  async close(): Promise<void> {
    for (const close of this.#open.splice(0).reverse()) await close();
  }
}

export async function stillHeard({ audio }: VoicePhone): Promise<void> {
  const before = audio.heard.length;
  await until(() => audio.heard.length >= before + HEARD_PACKETS, 'the gateway goes on sending');
}

/** What a SIP peer hears that asks whether calls may come; undefined: nothing. */
export async function answersOptions({ sip, sipPort }: Gateway): Promise<number | undefined> {
  const peer = await new UdpCaller(sipPort).open();
  try {
    peer.sendRequest('OPTIONS', { uri: sip });
    return (await peer.final('OPTIONS').catch(() => undefined))?.status;
  } finally {
    peer.close();
  }
}

export interface CallBooks {
  readonly id: string;
  readonly gateway: string;
  readonly ended: boolean;
  readonly reason: string | null;
  readonly cents: number;
  readonly booked: number; // minutes in the ledger
  readonly talked: number; // minutes begun, by its record
}
export const callsOf = (place: Place): Promise<readonly CallBooks[]> =>
  withStore(place, async ({ pool }) => {
    const { rows } = await pool.query<CallBooks>(
      `SELECT id, gateway, ended_at IS NOT NULL AS ended, end_reason AS reason, cost_cents::int AS cents, ceil(talk_ms / 60000.0)::int AS talked,
        (SELECT count(*)::int FROM ledger WHERE id LIKE calls.id || '/minute/%') AS booked FROM calls ORDER BY started_at`,
    );
    return rows;
  });

const OPEN = `SELECT (SELECT count(*)::int FROM calls WHERE ended_at IS NULL) AS calls,
  (SELECT count(*)::int FROM charges WHERE state = 'reserved') AS charges`;
const AGREES = `SELECT c.id FROM calls c WHERE c.cost_cents <>
  (SELECT coalesce(-sum(l.cents), 0) FROM ledger l JOIN charges h ON h.id = l.id WHERE h.owner = c.id)`;

/** Calls and holds that nobody has closed. */
export const openThings = (place: Place): Promise<{ readonly calls: number; readonly charges: number }> =>
  withStore(place, async ({ pool }) => (await pool.query<{ calls: number; charges: number }>(OPEN)).rows[0]!);

/** Accounts whose money is not that of their ledger, and calls whose record says another price than that. */
export const booksFaults = (place: Place): Promise<readonly unknown[]> =>
  withStore(place, async (store) => [...(await moneyFaults(store)), ...(await store.pool.query(AGREES)).rows]);
