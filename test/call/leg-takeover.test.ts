import { describe, expect, it } from 'vitest';
import { callEnd } from '../../src/call/call-end.ts';
import { LegError } from '../../src/call/leg.ts';
import { AGENT } from '../support/conversation-rig.ts';
import { FakeLeg, MEDIA } from '../support/fake-leg.ts';
import { receptionRig, settle } from '../support/reception-rig.ts';

type Rig = ReturnType<typeof receptionRig>;
const PERSON = 'sip:person@127.0.0.1:5070';
const MOVED = { ...MEDIA, remote: { address: '127.0.0.1', port: 60_000 } };

async function talking(): Promise<Rig> {
  const transfer = { mode: 'announced', targets: [PERSON] } as const;
  const s = receptionRig({
    agent: { ...AGENT, definition: { ...AGENT.definition, transfer } },
    answer: ({ text }) => [
      { type: 'text', text: `You said ${text}.`, language: 'en' },
      ...(text.includes('person') ? ([{ type: 'action', action: { type: 'transfer', target: PERSON } }] as const) : []),
    ],
    settings: { noInputMs: 600_000 },
    transferTimeoutMs: 20_000,
  });
  await s.reception.receive(s.leg);
  await s.silence(600);
  return s;
}
async function bridged(): Promise<Rig> {
  const s = await talking();
  await s.say('a person please');
  await s.silence(2000);
  s.dialer.last.answer();
  await s.silence(2500);
  expect(s.ports[0]!.bridgedTo).toBe(s.ports[1]);
  return s;
}
function other(): FakeLeg {
  const leg = new FakeLeg();
  leg.media = MOVED;
  return leg;
}
const end = callEnd('caller', 'caller-hangup');

describe('a leg that takes the place of another', () => {
  it('goes on with the same conversation, and the old one gets a BYE', async () => {
    const s = await talking();
    const next = other();
    expect(await s.reception.replace(next, s.leg)).toBe(s.registry.list()[0]?.id);
    expect([next.log, s.leg.log]).toEqual([['answer'], ['answer', 'hangup transferred']]);
    expect(s.port.configured.at(-1)).toEqual(MOVED);
    s.leg.handlers!.onEnd(end); // of no account any more
    await s.say('hello again');
    await s.silence(1500);
    expect([s.requests.at(-1)!.text, s.registry.size]).toEqual(['hello again', 1]);
    next.handlers!.onEnd(end);
    await settle();
    expect([s.summaries.map(({ end: { reason } }) => reason), s.registry.size]).toEqual([['caller-hangup'], 0]);
    expect(next.log.at(-1)).toBe('hangup caller-hangup');
  });

  it('is asked for the next transfer', async () => {
    const s = await talking();
    const next = other();
    await s.reception.replace(next, s.leg);
    next.takesReplaces = true;
    await s.say('a person please');
    await s.silence(2000);
    expect(s.dialer.dialled).toHaveLength(1);
    expect(s.leg.log).toEqual(['answer', 'hangup transferred']);
  });

  it('may be the person’s: caller and person still hear each other', async () => {
    const s = await bridged();
    const next = other();
    const { leg: old } = s.dialer.last;
    await s.reception.replace(next, old);
    expect([next.log, old.log]).toEqual([['answer'], ['hangup transferred']]);
    expect([s.ports[1]!.configured.at(-1), s.ports[0]!.bridgedTo]).toEqual([MOVED, s.ports[1]]);
    old.handlers!.onEnd(end);
    await settle();
    expect(s.registry.size).toBe(1);
    s.leg.handlers!.onEnd(end);
    await settle();
    expect([next.log.at(-1), old.log.length, s.registry.size]).toEqual(['hangup caller-hangup', 1, 0]);
  });

  it('that cannot be answered changes nothing', async () => {
    const s = await talking();
    const next = other();
    next.answerError = new LegError(callEnd('network', 'ack-timeout'));
    await s.reception.replace(next, s.leg);
    expect([next.log, s.leg.log]).toEqual([['answer', 'hangup ack-timeout'], ['answer']]);
    await s.say('hello again');
    await s.silence(1500);
    expect(s.requests.at(-1)!.text).toBe('hello again');
    s.leg.handlers!.onEnd(end);
    await settle();
    expect(s.summaries.map(({ end: { reason } }) => reason)).toEqual(['caller-hangup']);
  });

  it('comes too late for a call that ends meanwhile', async () => {
    const s = await talking();
    const next = other();
    let answer = (): void => {};
    next.answer = () =>
      new Promise((resolve) => {
        answer = () => resolve(MOVED);
      });
    const replacing = s.reception.replace(next, s.leg);
    await s.registry.list()[0]!.close(callEnd('gateway', 'shutdown'));
    answer();
    await replacing;
    expect([next.log, s.summaries.length, s.registry.size]).toEqual([['hangup shutdown'], 1, 0]);
  });

  it.each(['the caller', 'the person'])(
    'comes too late where another has taken the place of %s meanwhile',
    async (whose) => {
      const s = await (whose === 'the caller' ? talking() : bridged());
      const old = whose === 'the caller' ? s.leg : s.dialer.last.leg;
      const [slow, quick] = [other(), other()];
      let answer = (): void => {};
      slow.answer = () =>
        new Promise((resolve) => {
          answer = () => resolve(MOVED);
        });
      const replacing = s.reception.replace(slow, old);
      await s.reception.replace(quick, old);
      answer();
      await replacing;
      expect([slow.log, quick.log, s.registry.size]).toEqual([['hangup cancelled'], ['answer'], 1]);
      quick.handlers!.onEnd(end);
      await settle();
      expect([quick.log.length, s.registry.size]).toEqual([2, 0]);
    },
  );

  it('is refused where the call is over', async () => {
    const s = await talking();
    s.leg.handlers!.onEnd(end);
    await settle();
    const next = other();
    expect(await s.reception.replace(next, s.leg)).toBeUndefined();
    expect(next.log).toEqual(['reject cancelled']);
  });
});
