import { expect, it } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import { silentLogger } from '../../../src/core/logger.ts';
import type { LadderRecord } from '../../../src/core/sip-ladder.ts';
import { LadderBook } from '../../../src/sip/ladder/ladder-book.ts';
import { hungUp, plain, SignallingRig } from '../../support/signalling-rig.ts';
import { headerOf } from '../../support/udp-caller.ts';

/** Nothing is given up on a busy machine. */
const TIMERS = { t1Ms: 150, t2Ms: 600, t4Ms: 600 };

/** A call in, and one out that is challenged and refused: as the server sees them, or by what it tells us. */
async function laddersOf(mode: 'listen' | 'connect'): Promise<LadderRecord[]> {
  const kept: LadderRecord[] = [];
  const book = new LadderBook({
    ...{ clock: systemClock, logger: silentLogger },
    keep: async (ladders) => void kept.push(...ladders),
  });
  const trace = { trace: book.trace };
  const onDialled = (callId: string, sipCallId: string): void => book.belongs(sipCallId, callId);
  const rig = await SignallingRig.open(
    ...([mode, systemClock, { ...(mode === 'listen' && trace), timerBase: TIMERS }] as const),
    mode === 'listen' ? { onDialled } : { ...trace, onDialled },
  );
  try {
    const leg = await rig.talking();
    const over = leg.hangup(hungUp);
    rig.phone.reply(await rig.phone.request('BYE'), 200, 'OK');
    await over;
    const dialled = rig.server.dial({
      ...{ uri: `sip:bob@127.0.0.1:${rig.phone.port}`, from: 'me', media: plain, callId: 'call_1' },
      credentials: { username: 'u', password: 'pa55' },
    });
    const refused = expect(dialled).rejects.toThrow();
    const invite = await rig.phone.request('INVITE');
    rig.phone.reply(invite, 401, 'Unauthorized', ['WWW-Authenticate: Digest realm="r", nonce="n0nce", qop="auth"']);
    const again = await rig.phone.next(
      (m) => m.method === 'INVITE' && headerOf(m, 'Authorization') !== '',
      'another INVITE',
    );
    rig.phone.reply(again, 486, 'Busy Here');
    await refused;
  } finally {
    await rig.close();
    await book.close();
  }
  return kept;
}

it.each(['listen', 'connect'] as const)('has the messages of calls both ways, in %s mode', async (mode) => {
  const [into, out] = await laddersOf(mode);
  const lines = (ladder: LadderRecord | undefined): string[] =>
    (ladder?.steps ?? []).map(({ direction, line }) => `${direction} ${line.replace(/ sip:\S+/, '')}`);
  expect(lines(into)).toEqual(
    expect.arrayContaining([
      'in INVITE SIP/2.0',
      'out SIP/2.0 200 OK',
      'in ACK SIP/2.0',
      'out BYE SIP/2.0',
      'in SIP/2.0 200 OK',
    ]),
  );
  expect(lines(out)).toEqual(
    expect.arrayContaining(['out INVITE SIP/2.0', 'in SIP/2.0 401 Unauthorized', 'in SIP/2.0 486 Busy Here']),
  );
  expect(lines(out).filter((line) => line === 'out INVITE SIP/2.0').length).toBeGreaterThanOrEqual(2);
  expect(lines(into).includes('out SIP/2.0 100 Trying')).toBe(mode === 'listen'); // which a server elsewhere keeps to itself
  expect([into, out].map((ladder) => [ladder?.inbound, ladder?.answered, ladder?.callId])).toEqual([
    [true, true, undefined],
    [false, false, 'call_1'],
  ]);
  const all = JSON.stringify([into, out]);
  for (const secret of ['pa55', 'n0nce', 'response=']) expect(all).not.toContain(secret);
  expect(all).toContain('Digest realm=\\"r\\" [removed]');
});
