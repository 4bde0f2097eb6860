import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { randomToken } from '../../src/core/ids.ts';
import { authorize, parseChallenges } from '../../src/sip/digest.ts';
import { FAILURES_MAX } from '../../src/sip/failure-guard.ts';
import { type Gateway, nidaa, prepared, startGateway } from '../support/gateway.ts';
import { mark, percentile } from '../support/marks.ts';
import { OddCaller } from '../support/odd-caller.ts';
import { sharedDatabase } from '../support/shared-postgres.ts';
import { until } from '../support/until.ts';

let gateway: Gateway;
let passwords: Record<string, string>;
beforeAll(async () => {
  const env = { NIDAA_SIP_ANONYMOUS: 'false' }; // as at an address that the network reaches
  gateway = await startGateway({ env, databaseUrl: await sharedDatabase(inject('postgresDesk')) });
  await prepared(gateway);
  passwords = { alice: await phone('alice'), bob: await phone('bob') };
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

interface Asked {
  readonly status: number;
  readonly ms: number;
  readonly text: string;
}
/** Sends a REGISTER and waits for its answer. */
async function register(
  from: OddCaller,
  user: string,
  {
    authorization,
    to = user,
    contacts = 1,
    callId = randomToken(8),
    cseq = 1,
  }: { authorization?: string; to?: string; contacts?: number; callId?: string; cseq?: number } = {},
): Promise<Asked> {
  const contact = (n: number): string => `<sip:${user}@${from.address}:${from.port + n}>`;
  const headers = {
    From: `<sip:${user}@nidaa>;tag=${randomToken(4)}`,
    To: `<sip:${to}@nidaa>`,
    Contact: Array.from({ length: contacts }, (_, n) => contact(n)).join(', '),
    Expires: '120',
    'Call-ID': callId,
    CSeq: `${cseq} REGISTER`,
    ...(authorization !== undefined && { Authorization: authorization }),
  };
  const before = from.answers.length;
  const startMs = performance.now();
  from.send(from.message({ method: 'REGISTER', port: gateway.sipPort, headers }), gateway.sipPort);
  const text = await until(() => from.answers[before], 'an answer to REGISTER');
  return { status: Number(text.slice(8, 11)), ms: performance.now() - startMs, text };
}

/** Answers the challenge of `asked`. */
function answerTo({ text }: Asked, username: string, password: string): string {
  const offered = [...text.matchAll(/^WWW-Authenticate: (.*)\r$/gim)].flatMap(([, value = '']) =>
    parseChallenges(value),
  );
  const challenge = offered.find(({ algorithm }) => algorithm === 'MD5') ?? offered[0]!;
  const uri = `sip:1000@127.0.0.1:${gateway.sipPort}`;
  return authorize(
    challenge,
    { username, password },
    { method: 'REGISTER', uri, body: '', nonceCount: 1, clientNonce: randomToken(8) },
  );
}

describe('who is not known', () => {
  it('T1: cannot tell users that there are from users that there are not', async () => {
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
    for (let n = 0; n < 200; n += 1) {
      for (const user of ['alice', 'nobody']) {
        const from = await stranger();
        const asked = await register(from, user);
        timesMs[user]?.push(asked.ms);
        statuses.add(`${user} ${asked.status}`);
        from.close();
      }
    }
    const kinds = new Set([...statuses].map((status) => status.replace(/^\S+ /, '')));
    mark('T1', 'ways of answering that only one of both is given', statuses.size - 2 * kinds.size, 'at most', 0);
    const difference = Math.abs(percentile(timesMs['alice']!, 0.5) - percentile(timesMs['nobody']!, 0.5));
    mark('T1', 'difference of the median times, ms', difference, 'at most', 1);
    const server = (await register(await stranger(), 'alice')).text;
    expect(server).not.toMatch(/^(Server|User-Agent):/im);
  }, 120_000);

  it('T2: who guesses passwords is blocked, and gets in by no other way', async () => {
    const guesser = await stranger();
    let tries = 0;
    for (; tries < 50; tries += 1) {
      const asked = await register(guesser, 'bob');
      if (asked.status === 403) break;
      const guess = await register(guesser, 'bob', { authorization: answerTo(asked, 'bob', `guess${tries}`) });
      expect(guess.status).not.toBe(200);
    }
    mark('T2', 'wrong passwords before the block', tries, 'at most', 10);
    await sleep(61_000);
    mark('T2', 'answer a minute later', (await register(guesser, 'bob')).status, 'at least', 403);
    guesser.close();
    const bob = await stranger();
    const stolen = await register(bob, 'bob', {
      authorization: answerTo(await register(bob, 'bob'), 'bob', passwords['bob']!),
      to: 'alice',
      cseq: 2,
    });
    mark('T2', "answer to another's address with an own password", stolen.status, 'at least', 403);
    const alice = await stranger();
    const many = await register(alice, 'alice', {
      authorization: answerTo(await register(alice, 'alice'), 'alice', passwords['alice']!),
      contacts: 30,
      cseq: 2,
    });
    mark('T2', 'answer to 30 contacts of one phone', many.status, 'at least', 400);
    bob.close();
    alice.close();
  }, 120_000);

  it('T3: cannot use what somebody else answered again', async () => {
    const alice = await stranger();
    const authorization = answerTo(await register(alice, 'alice'), 'alice', passwords['alice']!);
    const good = await register(alice, 'alice', { authorization, cseq: 2 });
    const again = await register(alice, 'alice', { authorization });
    const thief = await stranger();
    const stolen = await register(thief, 'alice', { authorization });
    expect(good.status).toBe(200);
    mark('T3', 'answer to a second use', again.status, 'at least', 401);
    mark('T3', 'answer to the same from elsewhere', stolen.status, 'at least', 401);
    const hashes = [passwords['alice']!, /response="(\w+)"/.exec(authorization)![1]!];
    const logged = hashes.filter((secret) => gateway.log().includes(secret)).length;
    mark('T3', 'passwords and answers in the log', logged, 'at most', 0);
    alice.close();
    thief.close();
  }, 60_000);
});
