import { beforeEach, describe, expect, it } from 'vitest';
import { WATCH_EVERY_MS } from '../../src/sip/dialog-watch.ts';
import { LeftBehind } from '../../src/sip/left-behind.ts';
import { settle } from '../support/fake-srf.ts';
import { end, LegRig, plain } from '../support/leg-rig.ts';

/** A call whose SIP server went away while both sides talk. */
let rig: LegRig;
beforeEach(() => {
  rig = new LegRig();
});
const cut = async () => {
  const call = await rig.talking();
  rig.connected = false;
  call.leg.cut();
  return call;
};
const isBack = () => {
  rig.connected = true;
  for (const tell of rig.leftBehind) tell();
};

describe('a call that was up', () => {
  it('goes on when the server is back and still knows it', async () => {
    const { leg, heard } = await cut();
    expect([leg.state, heard.ends]).toEqual(['detached', []]);
    isBack();
    void leg.back();
    expect([leg.state, rig.adopted]).toEqual(['confirmed', [rig.dialog]]);
    for (let i = 0; i < 3; i += 1) {
      rig.dialog.request_('OPTIONS').answer(200);
      await settle();
      clock(WATCH_EVERY_MS);
      await settle();
    }
    expect([rig.dialog.requests.length, heard.ends]).toEqual([4, []]);
    const over = leg.hangup(end);
    rig.dialog.request_('BYE').answer(200);
    await over;
    expect([rig.closed, rig.byes]).toEqual([1, []]);
  });

  it.each([
    { name: 'the server has forgotten it', answer: () => rig.dialog.request_('OPTIONS').fail() },
    { name: 'the peer has left meanwhile', answer: () => rig.dialog.request_('OPTIONS').answer(481) },
    { name: 'the peer is gone', answer: () => rig.dialog.request_('OPTIONS').answer(408) },
  ])('ends when $name', async ({ answer }) => {
    const { leg, heard } = await cut();
    isBack();
    void leg.back();
    answer();
    await settle();
    expect(heard.ends).toMatchObject([{ party: 'network', reason: 'signalling-lost' }]);
    expect([rig.closed, rig.byes]).toEqual([1, []]);
  });

  it('is watched once, however often the server goes and comes', async () => {
    const { leg } = await cut();
    for (let i = 0; i < 3; i += 1) {
      isBack();
      void leg.back();
      rig.dialog.request_('OPTIONS').answer(200);
      await settle();
      rig.connected = false;
      leg.cut();
    }
    isBack();
    void leg.back();
    rig.dialog.request_('OPTIONS').answer(200);
    await settle();
    const before = rig.dialog.requests.length;
    clock(WATCH_EVERY_MS);
    await settle();
    expect(rig.dialog.requests.length).toBe(before + 1);
  });

  it('is given up when the server stays away; BYE when it is back', async () => {
    const { leg, heard } = await cut();
    leg.lost();
    expect(heard.ends).toMatchObject([{ reason: 'signalling-lost' }]);
    isBack();
    expect(rig.byes).toMatchObject([{ dialogId: rig.dialog.id, headers: { Reason: /cause=27/ } }]);
  });

  it('ends by us while the server is away; BYE when it is back', async () => {
    const { leg, heard } = await cut();
    const over = leg.hangup(end);
    rig.dialog.request_('BYE').fail();
    await over;
    isBack();
    expect(rig.byes).toMatchObject([{ dialogId: rig.dialog.id, headers: { Reason: /cause=16/ } }]);
    expect([heard.ends, rig.closed]).toEqual([[], 1]);
  });

  it('asks for no transfer meanwhile', async () => {
    const { leg } = await cut();
    expect(await leg.transfer('3000', new AbortController().signal)).toMatchObject({ ok: false });
  });
});

describe('a call that was not up', () => {
  it('is refused when the server is back', async () => {
    const { leg, res, heard } = rig.incoming();
    rig.connected = false;
    leg.cut();
    expect([leg.state, heard.ends.length, res.sent]).toEqual(['terminated', 1, []]);
    isBack();
    expect([rig.adopted, res.last?.status]).toEqual([[res], 500]);
  });

  it('is hung up when its 200 had left', async () => {
    const { leg, heard } = rig.incoming();
    leg.answer(plain).catch(() => undefined);
    await settle();
    rig.srf.uas[0]?.done(null, rig.dialog);
    rig.connected = false;
    leg.cut();
    expect(heard.ends.length).toBe(1);
    isBack();
    expect(rig.byes.length).toBe(1);
  });
});

it('a server of our own process, which forgets its dialogs, is told nothing', async () => {
  const { leg, heard } = await rig.talking();
  leg.lost();
  expect([heard.ends.length, rig.leftBehind]).toEqual([1, []]);
});

describe('what is left behind', () => {
  it('is told once, and not after everybody has noticed', () => {
    let now = 0;
    const told: number[] = [];
    const left = new LeftBehind(() => now);
    left.add(() => told.push(1));
    now = 600_001;
    left.add(() => told.push(2));
    expect([left.flush(), left.flush(), told]).toEqual([1, 0, [2]]);
  });

  it('is bounded', () => {
    const left = new LeftBehind(() => 0);
    for (let i = 0; i < 10_050; i += 1) left.add(() => undefined);
    expect(left.count).toBe(10_000);
  });
});

const clock = (ms: number) => rig.clock.advance(ms);
