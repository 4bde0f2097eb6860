import { beforeEach, describe, expect, it } from 'vitest';
import { type CallEnd, callEnd } from '../../src/call/call-end.ts';
import { LegError } from '../../src/call/leg.ts';
import type { NegotiatedMedia } from '../../src/media/description.ts';
import { ACK_WAIT_MS } from '../../src/sip/in-dialog-offers.ts';
import { BYE_WAIT_MS } from '../../src/sip/leg.ts';
import { LEG_TRANSITIONS, type LegEvent, type LegState, nextLegState } from '../../src/sip/leg-state.ts';
import { fakeRequest, settle } from '../support/fake-srf.ts';
import { end, LegRig, plain, wired } from '../support/leg-rig.ts';
import { sdpText } from '../support/sdp-texts.ts';

let rig: LegRig;
beforeEach(() => {
  rig = new LegRig();
});

describe('leg states', () => {
  const states = Object.keys(LEG_TRANSITIONS) as LegState[];
  const events: LegEvent[] = [
    ...([
      'ring',
      'decide',
      'accept',
      'confirm',
      'refuse',
      'cancel',
      'bye',
      'hangup',
      'lost',
      'cut',
      'restore',
    ] as const),
  ];
  const expected: Record<LegState, Partial<Record<LegEvent, LegState>>> = {
    trying: { ring: 'early', decide: 'deciding', refuse: 'terminated', cancel: 'terminated', lost: 'terminated' },
    early: { ring: 'early', decide: 'deciding', refuse: 'terminated', cancel: 'terminated', lost: 'terminated' },
    deciding: { accept: 'accepted', refuse: 'terminated', cancel: 'terminated', lost: 'terminated' },
    accepted: { confirm: 'confirmed', bye: 'terminated', cancel: 'terminated', lost: 'terminated' },
    confirmed: { bye: 'terminated', hangup: 'terminated', lost: 'terminated', cut: 'detached' },
    detached: { restore: 'confirmed', bye: 'terminated', hangup: 'terminated', lost: 'terminated' },
    terminated: {},
  };
  it.each(states.flatMap((state) => events.map((event) => ({ state, event }))))(
    '$state, $event',
    ({ state, event }) => {
      expect(nextLegState(state, event)).toBe(expected[state][event]);
    },
  );
});

describe('answering', () => {
  it('resolves at the ACK, not when the 200 leaves', async () => {
    const { leg, res } = rig.incoming();
    leg.ring();
    let media: NegotiatedMedia | undefined;
    void leg.answer(plain).then((agreed) => (media = agreed));
    await settle();
    rig.srf.uas[0]?.done(null, rig.dialog);
    await settle();
    expect([res.last?.status, media, leg.state]).toEqual([180, undefined, 'accepted']);
    rig.dialog.emit('ack', fakeRequest({ method: 'ACK' }));
    await settle();
    await settle();
    expect(media).toMatchObject({ codec: 'PCMU', remote: { address: '192.0.2.10', port: 4000 } });
    expect(leg.state).toBe('confirmed');
    expect(rig.clock.pending).toBe(0);
  });

  it('sends no 180 to a caller that takes only reliable ones', () => {
    const { leg, res } = rig.incoming({ reliable: true });
    leg.ring();
    expect(res.sent).toEqual([]);
  });

  it('offers in the 200 where the INVITE had no offer', async () => {
    const { media } = await rig.talking({ offer: '', ack: sdpText({ media: ['m=audio 4100 RTP/AVP 8'] }) });
    expect(rig.srf.uas[0]?.sdp).toContain('m=audio 20000 RTP/AVP 0 8 101 13');
    expect(media).toMatchObject({ codec: 'PCMA', remote: { address: '192.0.2.10', port: 4100 } });
  });

  it.each([
    { name: 'no answer in the ACK', ack: '', reason: 'bad-offer' },
    { name: 'a codec we did not offer', ack: sdpText({ media: ['m=audio 4100 RTP/AVP 18'] }), reason: 'no-codec' },
    { name: 'a port of our own', ack: wired, reason: 'bad-offer' },
  ])('ends a late-offer call with $name', async ({ ack, reason }) => {
    const { leg, heard } = rig.incoming({ offer: '' });
    const answered = leg.answer(plain);
    await settle();
    rig.srf.uas[0]?.done(null, rig.dialog);
    const headers = { CSeq: '1 ACK', 'Content-Type': 'application/sdp' };
    rig.dialog.emit('ack', fakeRequest({ method: 'ACK', body: ack, headers }));
    await settle();
    await expect(answered).rejects.toBeInstanceOf(LegError);
    expect(rig.dialog.request_('BYE').headers?.['Reason']).toContain('Q.850');
    expect(heard.ends).toMatchObject([{ reason }]);
  });

  it('gives up without an ACK', async () => {
    const { leg, heard } = rig.incoming();
    const answered = leg.answer(plain);
    await settle();
    rig.srf.uas[0]?.done(null, rig.dialog);
    rig.clock.advance(ACK_WAIT_MS);
    await expect(answered).rejects.toMatchObject({ end: { reason: 'ack-timeout' } });
    expect(heard.ends).toMatchObject([{ party: 'network', reason: 'ack-timeout' }]);
    expect(rig.closed).toBe(1);
    expect(rig.dialog.request_('BYE')).toBeDefined();
  });

  it('hears of the ACK timeout from the SIP server', async () => {
    const { leg, heard } = rig.incoming();
    const answered = leg.answer(plain);
    await settle();
    rig.srf.uas[0]?.done(null, rig.dialog);
    const headers = { Reason: 'SIP;cause=200;text="ACK timeout"' };
    rig.dialog.emit('destroy', fakeRequest({ method: 'BYE', source: 'application', headers }));
    await expect(answered).rejects.toMatchObject({ end: { reason: 'ack-timeout' } });
    expect([heard.ends.length, rig.clock.pending, rig.closed]).toEqual([1, 0, 1]);
  });

  it.each([
    { name: 'before the answer', when: 'before' },
    { name: 'while the 200 is on its way', when: 'during' },
    { name: 'and the SIP server refused the 200', when: 'server' },
  ])('is cancelled $name', async ({ when }) => {
    const { leg, req, heard } = rig.incoming();
    if (when === 'before') {
      req.emit('cancel');
      await expect(leg.answer(plain)).rejects.toMatchObject({ end: { reason: 'cancelled' } });
      expect(rig.srf.uas.length).toBe(0);
    } else {
      const answered = leg.answer(plain);
      await settle();
      if (when === 'during') req.emit('cancel');
      rig.srf.uas[0]?.done('Response not sent due to unknown transaction');
      await expect(answered).rejects.toMatchObject({ end: { reason: 'cancelled' } });
    }
    expect(heard.ends).toEqual([callEnd('caller', 'cancelled')]);
    expect([leg.state, rig.closed]).toEqual(['terminated', 1]);
  });

  it('hangs up a dialog that came out of a cancelled call', async () => {
    const { leg, req } = rig.incoming();
    leg.answer(plain).catch(() => undefined);
    await settle();
    req.emit('cancel');
    rig.srf.uas[0]?.done(null, rig.dialog);
    rig.dialog.request_('BYE').answer(200);
    await settle();
    expect(rig.srf.removed).toEqual([rig.dialog]);
  });

  it('reports a lost connection', async () => {
    const { leg, heard } = rig.incoming();
    const answered = leg.answer(plain);
    await settle();
    rig.srf.uas[0]?.done(new Error('socket connection closed'));
    await expect(answered).rejects.toMatchObject({ end: { reason: 'signalling-lost' } });
    expect(heard.ends.length).toBe(1);
  });

  it('answers once', async () => {
    const { leg } = await rig.talking();
    await expect(leg.answer(plain)).rejects.toBeInstanceOf(LegError);
  });
});

describe('ending', () => {
  it('refuses with status, Reason and Warning, once', async () => {
    const { leg, res, heard } = rig.incoming();
    await leg.reject(callEnd('gateway', 'busy'));
    await leg.reject(callEnd('gateway', 'busy'));
    await leg.hangup(end);
    expect(res.sent.map((one) => one.status)).toEqual([503]);
    expect(Object.keys(res.last?.headers ?? {})).toEqual(['Reason', 'Warning', 'Retry-After']);
    expect([heard.ends, rig.closed]).toEqual([[], 1]);
  });

  it('hangs up with BYE, once, and waits for its answer', async () => {
    const { leg, heard } = await rig.talking();
    let over = false;
    const both = Promise.all([leg.hangup(end), leg.hangup(end)]).then(() => (over = true));
    await settle();
    expect(over).toBe(false);
    rig.dialog.request_('BYE').answer(200);
    await both;
    expect(rig.dialog.requests.filter((one) => one.method === 'BYE').length).toBe(1);
    expect(rig.dialog.request_('BYE').headers?.['Reason']).toBe('Q.850;cause=16;text="The agent ended the call"');
    expect([heard.ends, rig.srf.removed, rig.closed]).toEqual([[], [rig.dialog], 1]);
  });

  it('does not wait for ever for the answer to BYE', async () => {
    const { leg } = await rig.talking();
    const over = leg.hangup(end);
    rig.clock.advance(BYE_WAIT_MS);
    await over;
    expect(rig.closed).toBe(1);
  });

  it('keeps the wish to hang up until the ACK', async () => {
    const { leg } = rig.incoming();
    const answered = leg.answer(plain);
    await settle();
    rig.srf.uas[0]?.done(null, rig.dialog);
    const over = leg.hangup(end);
    expect(rig.dialog.requests).toEqual([]);
    rig.dialog.emit('ack', fakeRequest({ method: 'ACK' }));
    await settle();
    rig.dialog.request_('BYE').answer(200);
    await Promise.all([answered, over]);
    expect(leg.state).toBe('terminated');
  });

  it('crossing BYEs end one call once', async () => {
    const { leg, heard } = await rig.talking();
    const over = leg.hangup(end);
    rig.dialog.emit('destroy', fakeRequest({ method: 'BYE' }));
    rig.dialog.request_('BYE').fail();
    await over;
    expect([heard.ends, rig.closed]).toEqual([[], 1]);
  });

  it('tells why the caller hung up, also to handlers that come late', async () => {
    const { leg, heard } = await rig.talking();
    const headers = { Reason: 'Q.850;cause=16;text="Normal clearing"' };
    rig.dialog.emit('destroy', fakeRequest({ method: 'BYE', headers }));
    const late: CallEnd[] = [];
    expect(heard.ends).toEqual([callEnd('caller', 'caller-hangup', 'Normal clearing')]);
    leg.setHandlers({ onMedia: () => undefined, onDtmf: () => undefined, onEnd: (e) => late.push(e) });
    expect(late).toEqual([]); // told already

    const other = rig.incoming();
    other.leg.setHandlers(undefined as never);
    other.req.emit('cancel');
    other.leg.setHandlers({ onMedia: () => undefined, onDtmf: () => undefined, onEnd: (e) => late.push(e) });
    expect(late).toEqual([callEnd('caller', 'cancelled')]);
  });

  it('loses its connection', async () => {
    const { leg, heard } = await rig.talking();
    leg.lost();
    leg.lost();
    expect(heard.ends).toEqual([callEnd('network', 'signalling-lost')]);
    await leg.hangup(end);
    expect([rig.dialog.requests, rig.closed, rig.srf.removed]).toEqual([[], 1, [rig.dialog]]);
  });
});
