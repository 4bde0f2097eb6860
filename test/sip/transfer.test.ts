import { beforeEach, describe, expect, it } from 'vitest';
import { TRANSFER_FIRST_NOTIFY_MS, TRANSFER_OUTCOME_MS } from '../../src/sip/transfer.ts';
import { fakeRequest, settle } from '../support/fake-srf.ts';
import { end, LegRig } from '../support/leg-rig.ts';

let rig: LegRig;
beforeEach(() => {
  rig = new LegRig();
});

describe('transfer', () => {
  const notify = (body: string, state = 'active', event = 'refer') =>
    rig.dialog.receive('notify', { body, headers: { Event: event, 'Subscription-State': state } }).last?.status;

  it.each([
    {
      name: 'the target answers',
      play: () => {
        rig.dialog.request_('REFER').answer(202);
        notify('SIP/2.0 100 Trying');
        notify('SIP/2.0 180 Ringing');
        notify('SIP/2.0 200 OK', 'terminated;reason=noresource');
      },
      outcome: { ok: true, status: 200, reason: 'OK' },
    },
    {
      name: 'the target is busy',
      play: () => {
        rig.dialog.request_('REFER').answer(202);
        notify('SIP/2.0 100 Trying');
        notify('SIP/2.0 486 Busy Here\r\n', 'terminated', 'refer;id=3');
      },
      outcome: { ok: false, status: 486, reason: 'Busy Here' },
    },
    {
      name: 'NOTIFY before the 202',
      play: async () => {
        notify('SIP/2.0 100 Trying');
        rig.dialog.request_('REFER').answer(202);
        await settle();
        rig.clock.advance(TRANSFER_OUTCOME_MS - 1); // the longer wait holds: reports have begun
        notify('SIP/2.0 200 OK');
      },
      outcome: { ok: true, status: 200, reason: 'OK' },
    },
    {
      name: 'refused at once',
      play: () => rig.dialog.request_('REFER').answer(603, { reason: 'Decline' }),
      outcome: { ok: false, status: 603, reason: 'Decline', unsupported: true },
    },
    {
      name: 'a peer that knows no REFER',
      play: () => rig.dialog.request_('REFER').answer(501, { reason: 'Not Implemented' }),
      outcome: { ok: false, status: 501, reason: 'Not Implemented', unsupported: true },
    },
    {
      name: 'a peer that takes no REFER',
      play: () => rig.dialog.request_('REFER').answer(405, { reason: 'Method Not Allowed' }),
      outcome: { ok: false, status: 405, reason: 'Method Not Allowed', unsupported: true },
    },
    {
      name: 'a target that may not be called',
      play: () => rig.dialog.request_('REFER').answer(403, { reason: 'Forbidden' }),
      outcome: { ok: false, status: 403, reason: 'Forbidden' },
    },
    {
      name: 'a user who declines when asked',
      play: () => {
        rig.dialog.request_('REFER').answer(202);
        notify('SIP/2.0 603 Declined', 'terminated;reason=noresource');
      },
      outcome: { ok: false, status: 603, reason: 'Declined' },
    },
    {
      name: 'not sent',
      play: () => rig.dialog.request_('REFER').fail(),
      outcome: { ok: false, status: 0, reason: 'the REFER could not be sent' },
    },
    {
      name: 'no NOTIFY',
      play: async () => {
        rig.dialog.request_('REFER').answer(202);
        await settle();
        rig.clock.advance(TRANSFER_FIRST_NOTIFY_MS);
      },
      outcome: { ok: false, status: 0, reason: 'no NOTIFY came' },
    },
    {
      name: 'no outcome',
      play: async () => {
        rig.dialog.request_('REFER').answer(202);
        await settle();
        notify('SIP/2.0 100 Trying');
        rig.clock.advance(TRANSFER_OUTCOME_MS);
      },
      outcome: { ok: false, status: 0, reason: 'no outcome in time' },
    },
    {
      name: 'reports end early',
      play: () => {
        rig.dialog.request_('REFER').answer(202);
        notify('SIP/2.0 100 Trying', 'terminated;reason=giveup');
      },
      outcome: { ok: false, status: 0, reason: 'the peer stopped reporting before the outcome' },
    },
    {
      name: 'hostile NOTIFYs in between',
      play: () => {
        rig.dialog.request_('REFER').answer(202);
        expect(notify('SIP/2.0 200 OK', 'active', 'presence')).toBe(489);
        expect(notify('\u0000'.repeat(1000))).toBe(200);
        expect(notify('SIP/2.0 999 Big')).toBe(200);
        notify('SIP/2.0 404 Not Found');
      },
      outcome: { ok: false, status: 404, reason: 'Not Found' },
    },
    {
      name: 'the peer accepts and leaves',
      play: async () => {
        rig.dialog.request_('REFER').answer(202);
        await settle();
        rig.dialog.emit('destroy', fakeRequest({ method: 'BYE' }));
      },
      outcome: { ok: true, status: 0, reason: 'the peer left after accepting' },
    },
    {
      name: 'the caller hangs up first',
      play: () => {
        rig.dialog.emit('destroy', fakeRequest({ method: 'BYE' }));
        rig.dialog.request_('REFER').fail();
      },
      outcome: { ok: false, status: 0, reason: 'the call ended first' },
    },
    {
      name: 'a peer that does not report',
      play: () => rig.dialog.request_('REFER').answer(202, { headers: { 'Refer-Sub': 'false' } }),
      outcome: { ok: true, status: 202, reason: 'accepted' },
    },
  ])('$name', async ({ play, outcome }) => {
    const { leg } = await rig.talking();
    const result = leg.transfer('+966112345678', new AbortController().signal);
    expect(rig.dialog.request_('REFER').headers?.['Refer-To']).toBe('<sip:+966112345678@pbx.example.com>');
    await play();
    expect(await result).toEqual(outcome);
    expect(rig.clock.pending).toBe(0);
  });

  it('is aborted, and takes a late NOTIFY politely', async () => {
    const { leg } = await rig.talking();
    const controller = new AbortController();
    const result = leg.transfer('2001', controller.signal);
    rig.dialog.request_('REFER').answer(202);
    controller.abort();
    expect(await result).toMatchObject({ ok: false, reason: 'aborted' });
    expect(notify('SIP/2.0 200 OK')).toBe(200);
  });

  it('one at a time, on a call that is up, to a target that is one', async () => {
    const { leg } = await rig.talking();
    const signal = new AbortController().signal;
    expect(await leg.transfer('sip:a@b?Replaces=x>\r\nX: y', signal)).toMatchObject({ ok: false, status: 0 });
    void leg.transfer('2001', signal);
    expect(await leg.transfer('2002', signal)).toMatchObject({ ok: false, status: 491 });
    void leg.hangup(end);
    expect(await leg.transfer('2003', signal)).toMatchObject({ ok: false, status: 0 });
    expect(rig.dialog.requests.filter((one) => one.method === 'REFER').length).toBe(1);
  });

  it.each([
    { allow: 'INVITE, ACK, CANCEL, BYE, NOTIFY', tried: false },
    { allow: 'INVITE,ACK,REFERENCE', tried: false },
    { allow: 'INVITE,ACK,REFER,BYE', tried: true },
    { allow: 'REFER', tried: true },
    { allow: ' ', tried: true },
  ])('of a peer that allows "$allow" is tried: $tried', async ({ allow, tried }) => {
    const { leg } = await rig.talking({ allow });
    const result = leg.transfer('2001', new AbortController().signal);
    const refers = rig.dialog.requests.filter(({ method }) => method === 'REFER');
    expect(refers).toHaveLength(tried ? 1 : 0);
    if (tried) return;
    expect(await result).toEqual({ ok: false, status: 0, reason: 'the peer does not allow REFER', unsupported: true });
    expect(rig.clock.pending).toBe(0);
  });

  it('of whom we called goes by what its answer allows', async () => {
    rig.dialog.res = fakeRequest({ headers: { Allow: 'INVITE, ACK, BYE' } });
    const outcome = await rig.outgoing().transfer('sip:2001@pbx.example.com', new AbortController().signal);
    expect(outcome).toMatchObject({ ok: false, unsupported: true });
  });
});
