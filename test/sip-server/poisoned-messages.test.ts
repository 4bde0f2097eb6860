import { describe, expect, it } from 'vitest';
import type { UpFrame } from '../../src/sip-server/control/app-port.ts';
import { parseCommand, type SipCommand } from '../../src/sip-server/control/command.ts';
import { tagOf } from '../../src/sip-server/message/name-addr.ts';
import { header, type SipMessage } from '../../src/sip-server/message/sip-message.ts';
import { EVERY_TEST, someOf } from '../support/property-runs.ts';
import {
  brief,
  type FakeApp,
  type FakePeer,
  LIMITS,
  OFFER,
  parsed,
  phoneAnswer,
  phoneRequest,
  SipRig,
} from '../support/sip-rig.ts';

/** A message whose `n`th property read throws, once: a fault in whatever line of ours does that read. */
class Poison {
  reads = 0;
  constructor(readonly at: number) {}
  get thrown(): boolean {
    return this.reads >= this.at;
  }
  wrap<M extends SipMessage>(message: M): M {
    return new Proxy(message, {
      get: (target, name, receiver) => {
        if (name === 'kind') return Reflect.get(target, name, receiver); // what every layer asks first
        this.reads += 1;
        if (this.reads === this.at) throw new Error('poison');
        return Reflect.get(target, name, receiver);
      },
    });
  }
}

class Scene {
  readonly rig = new SipRig();
  readonly app: FakeApp = this.rig.apps[0]!;
  readonly phone: FakePeer = this.rig.peer();
  toTag = '';

  /** A call that is up, and beside it another that must not notice anything. */
  constructor() {
    this.toTag = this.#call('call-1');
    this.#call('bystander');
    this.phone.take();
    this.app.take();
  }
  #call(callId: string): string {
    this.phone.deliver(phoneRequest('INVITE', { body: OFFER, callId, headers: ['Supported: 100rel'] }));
    this.app.answer(this.app.last, 200, [], OFFER);
    const toTag = tagOf(header(this.phone.inbox.at(-1)!, 'To') ?? '') ?? '';
    this.phone.deliver(phoneRequest('ACK', { toTag, callId }));
    return toTag;
  }
  receive(text: string, poison: Poison): void {
    this.rig.core.receive(poison.wrap(parsed(text)), this.phone, text.length);
  }
  /** The bystander hangs up as if nothing had been; then time runs out for whatever the poisoned message left. */
  finish(): void {
    this.app.take();
    this.phone.take();
    const bystander = this.rig.core.dialogs.all().find((dialog) => dialog.callId === 'bystander');
    this.phone.deliver(phoneRequest('BYE', { toTag: bystander?.localTag, callId: 'bystander', cseq: 9 }));
    expect(this.app.takeBriefs()).toContain('BYE 9');
    for (const dialog of this.rig.core.dialogs.all()) this.rig.core.agent.release(dialog, 'test', false);
    this.rig.clock.advance(900_000);
    const { layer, transactions, dialogs } = this.rig.core;
    expect({ ...layer.size, open: transactions.size, dialogs: dialogs.size, timers: this.rig.clock.pending }).toEqual({
      ...{ server: 0, client: 0, open: 0, dialogs: 0, timers: 0 },
    });
  }
}

const faults = (rig: SipRig): number => Object.values(rig.barrier.counters).reduce((sum, count) => sum + count);

/** Tries every read in turn until the message gets through unharmed. */
function everyRead(one: (poison: Poison) => void): number {
  for (let at = 1; at < 2_000; at += 1) {
    const poison = new Poison(at);
    one(poison);
    if (!poison.thrown) return at - 1;
  }
  throw new Error('never gets through');
}

describe('a request that breaks us at any point of its handling', () => {
  it.each(
    someOf(
      [
        { method: 'INVITE', inside: false },
        { method: 'OPTIONS', inside: false },
        { method: 'SUBSCRIBE', inside: false },
        { method: 'INVITE', inside: true },
        { method: 'UPDATE', inside: true },
        { method: 'INFO', inside: true },
        { method: 'BYE', inside: true },
        { method: 'CANCEL', inside: false },
      ],
      3,
    ),
  )(
    '$method (inside a dialog: $inside) gets one final answer, leaves nothing behind, harms no other call',
    ({ method, inside }) => {
      const tried = everyRead((poison) => {
        const scene = new Scene();
        const { app, phone } = scene;
        if (method === 'CANCEL')
          phone.deliver(phoneRequest('INVITE', { branch: 'z9hG4bKc', callId: 'c', body: OFFER }));
        const frames: UpFrame[] = app.take();
        phone.take();
        const parts = inside
          ? { toTag: scene.toTag, cseq: 5 }
          : method === 'CANCEL'
            ? { branch: 'z9hG4bKc', callId: 'c' }
            : { callId: 'new' };
        const body = method === 'INVITE' || method === 'UPDATE' ? OFFER : '';
        scene.receive(phoneRequest(method, { ...parts, body }), poison);
        for (const frame of [...frames, ...app.take()]) app.answer(frame, 486);
        scene.rig.clock.advance(31_000);
        const finals = phone
          .take()
          .filter((m) => m.kind === 'response' && m.status >= 200 && brief(m).endsWith(method));
        const tags = new Set(finals.map((m) => `${brief(m)} ${header(m, 'To')}`));
        expect([poison.at, ...tags]).toHaveLength(2);
        if (poison.thrown) expect(faults(scene.rig)).toBe(1);
        scene.finish();
      });
      expect(tried).toBeGreaterThan(20);
    },
  );

  it('ACK: the 200 is repeated, and the next ACK is heard', () => {
    const tried = everyRead((poison) => {
      const scene = new Scene();
      const { app, phone, rig } = scene;
      phone.deliver(phoneRequest('INVITE', { callId: 'a', body: OFFER }));
      app.answer(app.last, 200, [], OFFER);
      app.take();
      const toTag = tagOf(header(phone.take().at(-1)!, 'To') ?? '')!;
      scene.receive(phoneRequest('ACK', { callId: 'a', toTag }), poison);
      rig.clock.advance(500);
      if (phone.takeBriefs().includes('200 INVITE')) phone.deliver(phoneRequest('ACK', { callId: 'a', toTag }));
      expect([poison.at, app.takeBriefs()]).toEqual([poison.at, ['ACK 1']]);
      scene.finish();
    });
    expect(tried).toBeGreaterThan(5);
  });
});

describe('an answer that breaks us at any point of its handling', () => {
  it.each(
    someOf(
      [
        { method: 'INVITE', status: 180, ends: false },
        { method: 'INVITE', status: 200, ends: true },
        { method: 'INVITE', status: 486, ends: true },
        { method: 'MESSAGE', status: 200, ends: true },
      ],
      3,
    ),
  )('$status to our $method: the application hears of an end once, nothing stays', async ({ method, status, ends }) => {
    for (let at = 1; ; at += 1) {
      const poison = new Poison(at);
      const scene = new Scene();
      const { app, phone, rig } = scene;
      app.command('sip||', `${method} sip:bob@198.51.100.1 SIP/2.0\r\n\r\n${method === 'INVITE' ? OFFER : ''}`);
      await rig.settle();
      const request = phone.take()[0]!;
      scene.receive(phoneAnswer(request, status, { body: status === 200 && method === 'INVITE' ? OFFER : '' }), poison);
      const ids = new Set(app.ups.map((frame) => frame.dialogId));
      for (const id of ids) app.command(`sip||${id}`, 'ACK sip:placeholder SIP/2.0\r\n\r\n');
      rig.clock.advance(400_000);
      const finals = app.ups.filter((frame) => /^SIP\/2.0 [2-6]/.test(frame.text));
      expect([at, finals.length]).toEqual([at, 1]);
      if (!ends) expect(finals[0]?.text).toMatch(/^SIP\/2.0 408/);
      scene.finish();
      if (!poison.thrown) return expect(at).toBeGreaterThan(3);
    }
  });
});

describe('a command that breaks us at any point of its handling', () => {
  const COMMANDS: readonly { name: string; head: string; text: string; calls: boolean }[] = [
    { name: 'a new INVITE', head: 'sip||', text: `INVITE sip:bob@198.51.100.1 SIP/2.0\r\n\r\n${OFFER}`, calls: true },
    { name: 'a MESSAGE', head: 'sip||', text: 'MESSAGE sip:bob@198.51.100.1 SIP/2.0\r\n\r\n', calls: false },
    { name: 'a re-INVITE', head: 'sip||%ID%', text: `INVITE sip:placeholder SIP/2.0\r\n\r\n${OFFER}`, calls: true },
    { name: 'an UPDATE', head: 'sip||%ID%', text: `UPDATE sip:placeholder SIP/2.0\r\n\r\n${OFFER}`, calls: false },
    { name: 'a BYE', head: 'sip||%ID%', text: 'BYE sip:placeholder SIP/2.0\r\n\r\n', calls: false },
    { name: 'a 183', head: 'sip|%INVITE%|', text: `SIP/2.0 183 Ok\r\nCSeq: 1 INVITE\r\n\r\n${OFFER}`, calls: false },
    { name: 'a 200', head: 'sip|%INVITE%|', text: `SIP/2.0 200 Ok\r\nCSeq: 1 INVITE\r\n\r\n${OFFER}`, calls: false },
    { name: 'a 486', head: 'sip|%INVITE%|', text: 'SIP/2.0 486 Busy\r\nCSeq: 1 INVITE\r\n\r\n', calls: false },
  ];
  it.each(someOf(COMMANDS, 4))(
    '$name is answered once, and what it touched can be used afterwards',
    async ({ head, text, calls }) => {
      for (let at = 1; ; at += 1) {
        const poison = new Poison(at);
        const scene = new Scene();
        const { app, phone, rig } = scene;
        phone.deliver(phoneRequest('INVITE', { callId: 'waiting', body: OFFER }));
        const waiting = app.take()[0]!;
        phone.take();
        const filled = head.replace('%ID%', 'call-1;from-tag=phone').replace('%INVITE%', waiting.transactionId);
        const command = parseCommand(`poisoned|${filled}\r\n${text}`) as SipCommand;
        const before = app.order.length;
        rig.core.agent.onAppSip(app, { ...command, message: poison.wrap(command.message) });
        await rig.settle();
        expect([at, app.order.slice(before).filter((line) => line.startsWith('reply')).length]).toEqual([at, 1]);
        if (calls && filled.includes('from-tag') && app.replies.get('poisoned')?.ok === false) {
          app.command(filled, text); // The dialog must not wait for an INVITE that never left.
          expect(phone.take().filter((m) => brief(m).startsWith('INVITE'))).toHaveLength(1);
        }
        rig.clock.advance(400_000);
        scene.finish();
        if (!poison.thrown) return;
      }
    },
  );
});

describe('a neighbour that throws', () => {
  it.runIf(EVERY_TEST).each(['send', 'sendUp', 'reply'] as const)(
    'one of 100 calls has a broken %s: 99 go on',
    (broken) => {
      const rig = new SipRig({
        limits: { ...LIMITS, dialogsMax: 200, callsMax: 400, serverTransactionsMax: 400 },
      });
      const app = rig.apps[0]!;
      const phone = rig.peer();
      const bad = rig.peer('198.51.100.66');
      const throwing = (): never => {
        throw new Error('poison');
      };
      if (broken === 'send') bad.send = throwing;
      else {
        const original = app[broken].bind(app) as (...args: never[]) => never;
        (app as unknown as Record<string, unknown>)[broken] = (...args: never[]) =>
          JSON.stringify(args).includes('call-50') ? throwing() : original(...args);
      }
      const invite = (i: number): string => phoneRequest('INVITE', { callId: `call-${i}`, body: OFFER });
      for (let i = 1; i <= 100; i += 1) (i === 50 ? bad : phone).deliver(invite(i));
      for (const frame of app.take()) app.answer(frame, 200, [], OFFER);
      const good = phone.take().filter((m) => brief(m) === '200 INVITE' && header(m, 'Call-ID') !== 'call-50');
      expect(good).toHaveLength(99);
      for (const ok of good) {
        phone.deliver(phoneRequest('ACK', { toTag: tagOf(header(ok, 'To')!), callId: header(ok, 'Call-ID')! }));
      }
      rig.clock.advance(120_000);
      expect(rig.core.dialogs.size).toBe(99);
      expect(faults(rig)).toBeGreaterThan(0);
      rig.core.agent.onAppLost(app);
      rig.clock.advance(120_000);
      expect(phone.take().filter((m) => brief(m).startsWith('BYE')).length).toBeGreaterThanOrEqual(99);
      expect([rig.core.dialogs.size, rig.core.layer.size, rig.core.transactions.size, rig.clock.pending]).toEqual([
        0,
        { server: 0, client: 0 },
        0,
        0,
      ]);
    },
  );
});
