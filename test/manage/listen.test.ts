import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LiveCall } from '../../src/call/call-registry.ts';
import type { CallTap } from '../../src/core/call-tap.ts';
import { LISTEN_EVERY_MS, LISTENED_CALLS_MAX, LISTENERS_MAX, ListenDesk } from '../../src/manage/listen-desk.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { type ManageRig, manageRig, signedIn } from '../support/manage-rig.ts';
import { callOf, DEFINITION, endCall } from '../support/manage-things.ts';
import { until } from '../support/until.ts';

/** After so long it is looked whether they may still listen. */
const LOOK_MS = 15_000;

/** Of a call of which `said` is what comes next. */
class FakeTap implements CallTap {
  readonly sampleRateHz = 8_000;
  isOver = false;
  closed = 0;
  said: number[] = [];
  read(into: Int16Array): number {
    const taken = this.said.splice(0, into.length);
    into.set(taken);
    return taken.length;
  }
  close(): void {
    this.closed += 1;
  }
}
const listened = (tap: FakeTap | undefined, id = 'call_1') => ({ id, listen: () => tap });
const listener = () => {
  const heard: number[] = [];
  const state = { ended: 0 };
  return {
    heard,
    state,
    take: (piece: Buffer) => heard.push(...new Int16Array(piece.buffer, piece.byteOffset, piece.length / 2)),
    end: () => {
      state.ended += 1;
    },
  };
};

describe('who listens', () => {
  it('shares one tap, which is closed when the last one leaves', () => {
    const clock = new FakeClock();
    const desk = new ListenDesk(clock);
    const tap = new FakeTap();
    const [first, second] = [listener(), listener()];
    const a = desk.open(listened(tap), first) as { close: () => void };
    const b = desk.open(listened(new FakeTap()), second) as { close: () => void };
    tap.said = [1, -1, 2, -2];
    clock.advance(LISTEN_EVERY_MS);
    expect([first.heard, second.heard]).toEqual([
      [1, -1, 2, -2],
      [1, -1, 2, -2],
    ]);
    a.close();
    a.close();
    tap.said = [3, -3];
    clock.advance(LISTEN_EVERY_MS);
    expect([first.heard.length, second.heard.length, tap.closed]).toEqual([4, 6, 0]);
    b.close();
    expect(tap.closed).toBe(1);
    tap.said = [4, -4];
    clock.advance(1_000);
    expect(tap.said).toEqual([4, -4]); // nobody reads
  });

  it('hears the last of a call, and is told of its end once', () => {
    const clock = new FakeClock();
    const desk = new ListenDesk(clock);
    const tap = new FakeTap();
    const one = listener();
    desk.open(listened(tap), one);
    tap.said = Array.from({ length: 5_000 }, (_, n) => n % 100);
    tap.isOver = true;
    clock.advance(LISTEN_EVERY_MS);
    clock.advance(1_000);
    expect([one.heard.length, one.state.ended, tap.closed]).toEqual([5_000, 1, 1]);
  });

  it('is no more than so many, of so many calls, and of none without sound', () => {
    const desk = new ListenDesk(new FakeClock());
    const tap = new FakeTap();
    for (let n = 0; n < LISTENERS_MAX; n += 1) expect(desk.open(listened(tap), listener())).toBeTypeOf('object');
    expect(desk.open(listened(tap), listener())).toBe('full');
    expect(desk.open(listened(undefined, 'call_2'), listener())).toBe('not-now');
    for (let n = 1; n < LISTENED_CALLS_MAX; n += 1) desk.open(listened(new FakeTap(), `other_${n}`), listener());
    expect(desk.open(listened(new FakeTap(), 'one_more'), listener())).toBe('full');
  });
});

describe('GET /calls/{id}/listen', () => {
  let rig: ManageRig;
  let call: string;
  const tap = new FakeTap();
  beforeAll(async () => {
    rig = await manageRig();
    const agent = await rig.store.agents.create(rig.accountId, DEFINITION, 'live');
    ({ call } = await callOf(rig.store, rig.accountId, agent.id));
    const live: LiveCall = {
      ...{ id: call, sipCallId: 'x', accountId: rig.accountId, agentId: agent.id, startedAt: new Date() },
      ...{ close: async () => undefined, listen: () => tap },
    };
    rig.live.push(live);
  });
  afterAll(async () => {
    expect(await rig?.unaudited()).toEqual([]);
    await rig?.close();
  });
  const getAs = (headers: Record<string, string>) => fetch(`${rig.url}/manage/v1/calls/${call}/listen`, { headers });
  const get = (key: string) => getAs({ authorization: `Bearer ${key}` });

  it('is what both sides say, as a WAV that goes on, and is in the audit log', async () => {
    const answer = await get(rig.key);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'audio/wav']);
    tap.said = [1, -1, 2, -2];
    rig.clock.advance(LISTEN_EVERY_MS);
    tap.isOver = true;
    rig.clock.advance(LISTEN_EVERY_MS);
    const wav = Buffer.from(await answer.arrayBuffer());
    expect([wav.toString('latin1', 0, 4), wav.readUInt16LE(22), wav.readUInt32LE(24)]).toEqual(['RIFF', 2, 8_000]);
    expect([...new Int16Array(wav.buffer.slice(wav.byteOffset + 44, wav.byteOffset + wav.length))]).toEqual([
      1, -1, 2, -2,
    ]);
    const { rows } = await rig.store.pool.query(
      `SELECT count(*)::int AS hits FROM audit_entries WHERE action = 'listenToCall'`,
    );
    expect(rows[0].hits).toBe(1);
    tap.isOver = false;
  });

  it('is for the own account, and those who may act on calls', async () => {
    expect((await get(rig.otherKey)).status).toBe(404);
    expect((await get(await rig.keyWith('read'))).status).toBe(403);
  });

  /** Looks for whether they may are made of time, which passes here at once; the answer of the database is waited for. */
  const endedAfter = async (answer: Response, revoke: () => Promise<unknown>): Promise<void> => {
    let isOver = false;
    const read = answer.arrayBuffer().finally(() => {
      isOver = true;
    });
    rig.clock.advance(LOOK_MS);
    expect(isOver).toBe(false);
    await revoke();
    rig.clock.advance(LOOK_MS);
    await read;
  };

  it('ends with the key, which opens nothing any more', async () => {
    const { key, secret } = await rig.store.managementKeys.create(rig.accountId, 'short', ['calls']);
    await endedAfter(await get(secret), () => rig.ask(`DELETE /keys/${key.id}`));
    expect((await get(secret)).status).toBe(401);
  });

  it('ends with the session, and with the role of whoever listens', async () => {
    const left = await signedIn(rig, 'left@example.com', 'owner');
    const cookie = left.cookie!;
    await endedAfter(await getAs({ cookie }), () => left.ask('DELETE /session'));
    expect((await getAs({ cookie })).status).toBe(401);
    const lowered = await signedIn(rig, 'lowered@example.com', 'owner');
    const { body } = await rig.ask<{ items: { id: string; email: string }[] }>('GET /people');
    const { id } = body.items.find(({ email }) => email === 'lowered@example.com')!;
    await endedAfter(await getAs({ cookie: lowered.cookie! }), () =>
      rig.ask(`PATCH /people/${id}`, { body: { role: 'viewer' } }),
    );
    expect((await getAs({ cookie: lowered.cookie! })).status).toBe(403);
  });

  it('lets go of one that does not read', async () => {
    const { hostname, port } = new URL(rig.url);
    const slow = connect(Number(port), hostname);
    slow.pause();
    slow.on('error', () => undefined);
    const closedBefore = tap.closed;
    slow.write(
      `GET /manage/v1/calls/${call}/listen HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${rig.key}\r\n\r\n`,
    );
    // What the two kernels hold for it is theirs; the rest is ours, and bounded.
    const letGo = async (): Promise<boolean> => {
      for (let n = 0; n < 100 && tap.closed === closedBefore; n += 1) {
        tap.said = Array.from({ length: 3_200 }, () => 7);
        rig.clock.advance(LISTEN_EVERY_MS);
        await new Promise((resolve) => setImmediate(resolve));
      }
      return tap.closed > closedBefore;
    };
    await until(letGo, 'it is let go', 30_000);
    slow.destroy();
    tap.said = [];
  });

  it('is not possible where there is no sound, or no call any more', async () => {
    rig.live[0] = { ...rig.live[0]!, listen: () => undefined };
    expect(((await (await get(rig.key)).json()) as { error: { code: string } }).error.code).toBe('not_possible');
    rig.live.length = 0;
    await endCall(rig.store, call);
    expect((await get(rig.key)).status).toBe(409);
  });
});
