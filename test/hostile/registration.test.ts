import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { FAILURES_MAX } from '../../src/sip/failure-guard.ts';
import { type Gateway, nidaa, prepared, startGateway } from '../support/gateway.ts';
import { mark, percentile } from '../support/marks.ts';
import { OddCaller, offerTo } from '../support/odd-caller.ts';
import type { Asked, Asking } from '../support/registering.ts';
import * as registering from '../support/registering.ts';
import { sharedDatabase } from '../support/shared-postgres.ts';
import { until } from '../support/until.ts';

/** A phone whose name is a number, as scanners guess them. */
const EXTENSION = '777';
const WORDS = 10_000;
const WORDS_PER_SECOND = 140; // longer than a block must last

let gateway: Gateway;
let passwords: Record<string, string>;
beforeAll(async () => {
  const env = { NIDAA_SIP_ANONYMOUS: 'false' }; // as at an address that the network reaches
  gateway = await startGateway({ env, databaseUrl: await sharedDatabase(inject('postgresDesk')) });
  await prepared(gateway);
  passwords = { alice: await phone('alice'), bob: await phone('bob'), [EXTENSION]: await phone(EXTENSION) };
});
afterAll(() => gateway.dispose());

async function phone(name: string): Promise<string> {
  const made = await nidaa(gateway, 'phone', 'create', name, '--json');
  return (JSON.parse(made.stdout) as { password: string }).password;
}

let addresses = 0;
/** A phone at an address that nobody has used: failures of others are not held against it. */
const stranger = (): Promise<OddCaller> => {
  addresses += 1;
  return OddCaller.open(`127.0.${1 + Math.floor(addresses / 250)}.${1 + (addresses % 250)}`);
};

const register = (from: OddCaller, user: string, asking?: Asking): Promise<Asked> =>
  registering.register(gateway.sipPort, from, user, asking);
const answerTo = (asked: Asked, user: string, password: string): string =>
  registering.answerTo(gateway.sipPort, asked, user, password);

/** A phone that nobody has attacked, from an address of its own. */
async function registersAfter(row: string): Promise<void> {
  const from = await stranger();
  const asked = await register(from, 'alice');
  const authorization = answerTo(asked, 'alice', passwords['alice']!);
  const { status } = await register(from, 'alice', { authorization, cseq: 2 });
  mark(row, 'after', status === 200 ? 1 : 0);
  from.close();
}

/** What a scanner gets for the extensions 100 to 1100, by name. Each address asks for a few, as a patient one would. */
async function scanned(method: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (let first = 100; first <= 1_100; first += 20) {
    const from = await stranger();
    const names = Array.from({ length: Math.min(20, 1_101 - first) }, (_, n) => String(first + n));
    for (const user of names) {
      const body = method === 'INVITE' ? offerTo(from.address, 40_000) : '';
      const headers = { 'Call-ID': user, ...(method === 'REGISTER' && { To: `<sip:${user}@nidaa>` }) };
      from.send(from.message({ method, port: gateway.sipPort, user, headers, body }), gateway.sipPort);
    }
    const finals = (): Map<string, string> =>
      new Map(
        from.answers
          .filter((text) => !text.startsWith('SIP/2.0 1'))
          .map((text) => [/^Call-ID: (\S+)/im.exec(text)?.[1] ?? '', text.slice(8, 11)]),
      );
    await until(() => finals().size >= names.length, `answers to ${method}`);
    for (const [user, status] of finals()) found.set(user, status);
    from.close();
  }
  return found;
}

describe('who is not known', () => {
  it('T1: cannot tell users that there are from users that there are not', async () => {
    for (const method of ['REGISTER', 'INVITE', 'OPTIONS']) {
      const statuses = [...(await scanned(method)).values()];
      const usual = statuses.filter((status) => status === statuses[0]).length;
      mark('T1', 'found', Math.min(usual, statuses.length - usual), `${method}, mostly ${statuses[0]}`);
    }
    const timesMs: Record<string, number[]> = { alice: [], nobody: [] };
    const statuses = new Set<string>();
    for (let n = 0; n < FAILURES_MAX - 1; n += 1) {
      for (const user of ['alice', 'nobody']) {
        const from = await stranger();
        const asked = await register(from, user);
        const wrong = await register(from, user, { authorization: answerTo(asked, user, 'guess'), cseq: 2 });
        timesMs[user]?.push(wrong.ms);
        statuses.add(`${user} ${asked.status} ${wrong.status}`);
        from.close();
      }
    }
    let named = 0;
    for (let n = 0; n < 200; n += 1) {
      for (const user of ['alice', 'nobody']) {
        const from = await stranger();
        const asked = await register(from, user);
        timesMs[user]?.push(asked.ms);
        statuses.add(`${user} ${asked.status}`);
        if (/^(Server|User-Agent):/im.test(asked.text)) named += 1;
        from.close();
      }
    }
    const kinds = new Set([...statuses].map((status) => status.replace(/^\S+ /, '')));
    mark('T1', 'ways', 2 * kinds.size - statuses.size);
    mark('T1', 'median', Math.abs(percentile(timesMs['alice']!, 0.5) - percentile(timesMs['nobody']!, 0.5)));
    mark('T1', 'program', named);
    await registersAfter('T1');
  }, 180_000);

  it('T2: who guesses passwords is blocked, and gets in by no other way', async () => {
    const guesser = await stranger();
    let tries = 0;
    let challenge: Asked | undefined;
    for (; tries < 50; tries += 1) {
      const asked = await register(guesser, 'bob');
      if (asked.status === 403) break;
      challenge = asked;
      const guess = await register(guesser, 'bob', { authorization: answerTo(asked, 'bob', `guess${tries}`) });
      expect(guess.status).not.toBe(200);
    }
    mark('T2', 'tries', tries);
    const blockedMs = performance.now();
    const refusedBefore = guesser.statuses.get('403') ?? 0;
    let words = 0;
    for (; words < WORDS; await sleep(20)) {
      for (; words < WORDS && words < ((performance.now() - blockedMs) * WORDS_PER_SECOND) / 1000; words += 1) {
        const word = words === WORDS - 1 ? passwords['bob']! : `word${words}`;
        const authorization = answerTo(challenge!, 'bob', word);
        guesser.send(
          registering.registerOf(gateway.sipPort, guesser, 'bob', { authorization, cseq: 2 }),
          gateway.sipPort,
        );
      }
    }
    await until(() => (guesser.statuses.get('403') ?? 0) >= refusedBefore + WORDS, 'a refusal of each word').catch(
      () => {},
    );
    mark('T2', 'guessed', guesser.statuses.get('200') ?? 0);
    const last = await register(guesser, 'bob');
    mark('T2', 'blockS', last.status === 403 ? (performance.now() - blockedMs) / 1000 : 0);
    expect(guesser.statuses.get('403')).toBeGreaterThanOrEqual(refusedBefore + WORDS);
    guesser.close();
    const other = await stranger();
    const foreign = await register(other, EXTENSION, {
      authorization: answerTo(await register(other, EXTENSION), EXTENSION, passwords[EXTENSION]!),
      to: 'alice',
      cseq: 2,
    });
    mark('T2', 'foreign', foreign.status);
    mark('T2', 'contacts', await contactsOfEleven(other));
    other.close();
    await registersAfter('T2');
  }, 180_000);

  /** One phone registers eleven contacts one by one, and eleven at once. @returns how many there are then. */
  async function contactsOfEleven(from: OddCaller): Promise<number> {
    let kept = 0;
    const one = async (contacts: readonly number[]): Promise<void> => {
      const asked = await register(from, EXTENSION);
      const authorization = answerTo(asked, EXTENSION, passwords[EXTENSION]!);
      const { status, text } = await register(from, EXTENSION, { authorization, contacts, cseq: 2 });
      if (status !== 200) return;
      const listed = [...text.matchAll(/^Contact: (.*)$/gim)].map(([, value]) => value).join();
      kept = Math.max(kept, listed.split('<sip:').length - 1);
    };
    for (let n = 0; n < 11; n += 1) await one([n]);
    await one(Array.from({ length: 11 }, (_, n) => n + 20));
    return kept;
  }

  it('T3: cannot use what somebody else answered again', async () => {
    const alice = await stranger();
    const authorization = answerTo(await register(alice, 'alice'), 'alice', passwords['alice']!);
    const good = await register(alice, 'alice', { authorization, cseq: 2 });
    const again = await register(alice, 'alice', { authorization });
    const thief = await stranger();
    const stolen = await register(thief, 'alice', { authorization });
    expect(good.status).toBe(200);
    mark('T3', 'replay', again.status);
    mark('T3', 'elsewhere', stolen.status);
    const secrets = [...Object.values(passwords), /response="(\w+)"/.exec(authorization)![1]!];
    mark('T3', 'logged', secrets.filter((secret) => gateway.log().includes(secret)).length);
    alice.close();
    thief.close();
    await registersAfter('T3');
  }, 60_000);
});
