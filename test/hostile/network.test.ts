import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { type CallRecord, recordOf } from '../support/call-record.ts';
import { type Gateway, prepared, startGateway } from '../support/gateway.ts';
import { mark } from '../support/marks.ts';
import { type HeardTone, heardTone } from '../support/network/heard-tone.ts';
import { BadLink, type LinkDone, type LinkSettings, whyNoLink } from '../support/network/link.ts';
import { setUps } from '../support/network/set-ups.ts';
import { sharedDatabase } from '../support/shared-postgres.ts';

interface Network {
  readonly name: string;
  readonly link: LinkSettings;
  readonly calls?: number; // to set up
  readonly oneByOne?: boolean; // a burst takes packets of one call then, not of all
  readonly cutS?: number; // for so long nothing passes, from the third second of a call on
}
const NETWORKS = JSON.parse(readFileSync(new URL('./networks.json', import.meta.url), 'utf8')) as readonly Network[];
const PHONE = fileURLToPath(new URL('../support/network/phone.mjs', import.meta.url));
const NUMBER = '1000';
const KEYS = '15904862371122334455'; // with some pressed twice
const TALK_S = 10;
const CUT_AT_S = 3;
const AFTER_CUT_S = 5;
const CALLS = 20;
/** Packets of one press of a key: a run of so many lost ones takes it whole, and nothing of it ever came. */
const KEY_PACKETS = 11;
const COLUMNS = [
  'network',
  'set up',
  'after ms',
  'keys',
  'MOS',
  'lost %',
  'late',
  'concealed',
  'tone %',
  'gap ms',
  'busy ms',
];

/** What the phone in the namespace prints. */
interface Seen {
  readonly established?: boolean;
  readonly setupMs?: number;
  readonly sipCallId?: string;
  readonly survived?: boolean;
  readonly reason?: string;
}
interface Outcome {
  readonly seen: Seen;
  readonly call: CallRecord | undefined;
  readonly heard: HeardTone | undefined;
}

const missing = whyNoLink();
let link: BadLink;
let gateway: Gateway;
const rows: string[][] = [COLUMNS];

beforeAll(async () => {
  if (missing !== undefined) return;
  link = await BadLink.open();
  gateway = await startGateway({
    databaseUrl: await sharedDatabase(inject('postgresDesk')),
    env: { NIDAA_HOST: link.here, NIDAA_SIP_ANONYMOUS: 'true' },
  });
  await prepared(gateway);
});
afterAll(async () => {
  await gateway?.dispose();
  await link?.close();
  console.log(rows.map((row) => row.map((cell, at) => cell.padEnd(COLUMNS[at]!.length + 3)).join('')).join('\n'));
});

/** One call by baresip, which speaks a tone and presses keys. */
async function callBy({ cutS }: Network): Promise<Outcome> {
  const seconds = cutS === undefined ? TALK_S : CUT_AT_S + cutS + AFTER_CUT_S;
  const uri = `sip:${NUMBER}@${link.here}:${gateway.sipPort}`;
  const order = { address: link.there, uri, keys: cutS === undefined ? KEYS : '', seconds };
  const phone = link.spawn(process.execPath, [PHONE, JSON.stringify(order)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const over = once(phone, 'exit');
  let seen: Seen = {};
  for await (const line of createInterface({ input: phone.stdout! })) {
    const told = JSON.parse(line) as Seen;
    seen = { ...seen, ...told };
    if (told.established && cutS !== undefined) setTimeout(() => link.cut(cutS), CUT_AT_S * 1000);
  }
  await over;
  if (!seen.sipCallId) return { seen, call: undefined, heard: undefined };
  const call = await recordOf(gateway, seen.sipCallId);
  return { seen, call, heard: call.recording ? heardTone(join(gateway.dataDir, call.recording)) : undefined };
}

/** A row for whoever wants to know more than whether the marks are kept. */
function tell({ name }: Network, setUp: string, { seen, call, heard }: Outcome, done: LinkDone): void {
  const quality = call?.quality;
  const figure = (value: unknown, digits = 1): string => (typeof value === 'number' ? value.toFixed(digits) : '-');
  rows.push([
    ...[name, setUp, figure(seen.setupMs, 0), call?.dtmf === KEYS ? 'exact' : String(call?.dtmf.length ?? '-')],
    ...[figure(quality?.mos, 2), figure(quality?.lossPercent), figure(quality?.packetsLate, 0)],
    ...[figure(quality?.packetsConcealed, 0), figure(heard?.presentPercent), figure(heard?.longestGapMs, 0)],
    String(done.late_ms),
  ]);
}

function isWithin(heard: string, pressed: string): boolean {
  let at = -1;
  return [...heard].every((key) => {
    at = pressed.indexOf(key, at + 1);
    return at >= 0;
  });
}

describe('bad networks', () => {
  beforeEach(({ skip }) => skip(missing !== undefined, missing));

  it.each(NETWORKS.filter(({ cutS }) => cutS === undefined))(
    'F6: $name',
    async (network) => {
      const {
        name,
        link: { loss = 0 },
      } = network;
      const { calls = CALLS, oneByOne = false } = network;
      const settingUp = (): Promise<number> => setUps(link, `${link.here}:${gateway.sipPort}`, NUMBER, calls);
      await link.set(network.link);
      const first = oneByOne ? await settingUp() : undefined;
      if (oneByOne) await link.set(network.link); // counts anew
      const [outcome, made] = await Promise.all([callBy(network), first ?? settingUp()]);
      const done = await link.set({});
      tell(network, `${made}/${calls}`, outcome, done);
      const busy = `${name}, this machine late by ${done.late_ms} ms`;
      mark('F6', loss > 5 ? 'setUpAt10' : 'setUp', (made * 100) / calls, busy);
      expect(outcome.seen).toMatchObject({ established: true, survived: true });
      const keys = outcome.call?.dtmf ?? '';
      const takesKeys = done.ways.some(({ longest }) => longest >= KEY_PACKETS);
      const isRight = keys === KEYS || (takesKeys && isWithin(keys, KEYS));
      if (loss <= 5) mark('F6', 'keys', isRight ? 0 : 1, `${busy}, ${keys.length} heard`);
      mark('F6', 'doubled', Math.max(0, keys.length - KEYS.length), busy);
      mark('F6', 'tone', 100 - (outcome.heard?.presentPercent ?? 0) - 2 * loss, busy);
    },
    240_000,
  );

  it.each(NETWORKS.filter(({ cutS }) => cutS !== undefined))(
    'F7: $name',
    async (network) => {
      const { cutS = 0 } = network;
      await link.set(network.link);
      const outcome = await callBy(network);
      const done = await link.set({});
      tell(network, '-', outcome, done);
      mark('F7', 'ended', outcome.seen.survived ? 0 : 1, `${cutS} s`);
      mark('F7', 'backS', (outcome.heard?.longestGapMs ?? Infinity) / 1000 - cutS, `${cutS} s`);
    },
    120_000,
  );
});
