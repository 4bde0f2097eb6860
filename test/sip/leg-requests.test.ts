import { beforeEach, describe, expect, it } from 'vitest';
import type { MediaSession } from '../../src/media/media-session.ts';
import { fakeRequest, settle } from '../support/fake-srf.ts';
import { end, held, LegRig, plain, sdpBody, wired } from '../support/leg-rig.ts';
import { sdpText } from '../support/sdp-texts.ts';

let rig: LegRig;
beforeEach(() => {
  rig = new LegRig();
});

describe('re-INVITE and UPDATE', () => {
  it('hold and resume', async () => {
    const { heard } = await rig.talking();
    const hold = await rig.dialog.ask('modify', sdpBody(held));
    const resume = await rig.dialog.ask('modify', sdpBody(sdpText()));
    expect([hold.last?.status, resume.last?.status]).toEqual([200, 200]);
    expect(hold.last?.body).toContain('a=recvonly');
    expect(hold.last?.headers?.['Contact']).toBe(rig.dialog.local.contact);
    expect(heard.media.map((media) => media.direction)).toEqual(['recvonly', 'sendrecv']);
  });

  it('an UPDATE can hold as well; without a body it is a refresh', async () => {
    const { heard } = await rig.talking();
    expect((await rig.dialog.ask('update', sdpBody(held))).last).toMatchObject({ status: 200 });
    const refresh = await rig.dialog.ask('update');
    expect(refresh.last?.status).toBe(200);
    expect(refresh.last?.body).toBeUndefined();
    expect(heard.media.length).toBe(1);
  });

  const answering = async (media: MediaSession = plain) => {
    const call = rig.incoming();
    const answered = call.leg.answer(media);
    await settle();
    rig.srf.uas[0]?.done(null, rig.dialog);
    return { ...call, answered };
  };
  const ack = () => rig.dialog.emit('ack', fakeRequest({ method: 'ACK', headers: { CSeq: '1 ACK' } }));

  it('an UPDATE that holds us before the ACK is what the answer ends with', async () => {
    const { heard, leg, answered } = await answering();
    expect((await rig.dialog.ask('update', sdpBody(held))).last).toMatchObject({ status: 200 });
    ack();
    expect([await answered, heard.media, leg.media]).toMatchObject([
      { direction: 'recvonly' },
      [],
      { direction: 'recvonly' },
    ]);
  });

  it('an UPDATE that holds us around the ACK is told after the answer', async () => {
    let decide = (): void => {};
    const media: MediaSession = {
      offer: (direction, keys) => plain.offer(direction, keys),
      accept: (remote, offered) => plain.accept(remote, offered),
      answer: async (remote) => {
        if (remote.previous)
          await new Promise<void>((resolve) => {
            decide = resolve;
          });
        return plain.answer(remote);
      },
    };
    const { heard, leg, answered } = await answering(media);
    const reply = rig.dialog.ask('update', sdpBody(held));
    await settle();
    ack();
    expect((await answered).direction).toBe('sendrecv');
    decide();
    await settle();
    expect((await reply).last).toMatchObject({ status: 200 });
    expect([heard.media, leg.media]).toMatchObject([[{ direction: 'recvonly' }], { direction: 'recvonly' }]);
  });

  it('answers the same offer with the same description', async () => {
    await rig.talking();
    const one = await rig.dialog.ask('modify', sdpBody(sdpText()));
    const two = await rig.dialog.ask('modify', sdpBody(sdpText()));
    expect(one.last?.body).toBe(two.last?.body);
  });

  it('a late offer is complete at the ACK', async () => {
    const { heard } = await rig.talking();
    const reply = (await rig.dialog.ask('modify')).last;
    expect(reply?.body).toContain('m=audio 20000 RTP/AVP 0 8 101 13');
    expect(heard.media).toEqual([]);
    expect((await rig.dialog.ask('modify', sdpBody(sdpText()))).last?.status).toBe(491); // ours is open
    expect((await rig.dialog.ask('modify')).last?.status).toBe(491);
    rig.dialog.emit('ack', fakeRequest({ method: 'ACK', ...sdpBody(sdpText({ media: ['m=audio 4200 RTP/AVP 8'] })) }));
    await settle();
    expect(heard.media).toMatchObject([{ codec: 'PCMA', remote: { port: 4200 } }]);
  });

  it.each([
    { name: 'no common codec', parts: sdpBody(sdpText({ media: ['m=audio 4000 RTP/AVP 18'] })), status: 488 },
    { name: 'a port of our own', parts: sdpBody(wired), status: 488 },
    { name: 'garbage', parts: sdpBody('x'), status: 400 },
    { name: 'another content', parts: { body: 'x', headers: { 'Content-Type': 'text/plain' } }, status: 415 },
  ])('refuses $name and goes on as before', async ({ parts, status }) => {
    const { leg, heard } = await rig.talking();
    expect((await rig.dialog.ask('modify', parts)).last?.status).toBe(status);
    expect((await rig.dialog.ask('update', parts)).last?.status).toBe(status);
    expect([leg.state, leg.media?.codec, heard.media.length]).toEqual(['confirmed', 'PCMU', 0]);
    expect((await rig.dialog.ask('modify', sdpBody(held))).last?.status).toBe(200);
  });

  it('is 481 after the end', async () => {
    const { leg } = await rig.talking();
    void leg.hangup(end);
    expect((await rig.dialog.ask('modify', sdpBody(sdpText()))).last?.status).toBe(481);
  });

  it('our own offer: answered, refused, and after glare', async () => {
    const { leg, heard } = await rig.talking();
    const hold = leg.reoffer('sendonly');
    await settle();
    rig.dialog.request_('INVITE').answer(200, { body: sdpText({ media: ['m=audio 4000 RTP/AVP 0', 'a=recvonly'] }) });
    expect(await hold).toMatchObject({ direction: 'sendonly' });
    expect(heard.media.length).toBe(1);

    const refused = leg.reoffer('sendrecv');
    await settle();
    rig.dialog.request_('INVITE').answer(488);
    expect(await refused).toBeUndefined();

    const glare = leg.reoffer('sendrecv');
    await settle();
    expect((await rig.dialog.ask('modify', sdpBody(held))).last?.status).toBe(491);
    rig.dialog.request_('INVITE').answer(491);
    await settle();
    rig.clock.advance(2_000); // who does not own the Call-ID waits 2 s at most
    await settle();
    expect(rig.dialog.requests.filter((one) => one.method === 'INVITE').length).toBe(4);
    rig.dialog.request_('INVITE').answer(200, { body: sdpText() });
    expect(await glare).toMatchObject({ direction: 'sendrecv' });
  });

  it('glare without end is given up', async () => {
    const { leg } = await rig.talking();
    const outcome = leg.reoffer('sendonly');
    await settle();
    for (let i = 0; i < 4; i += 1) {
      rig.dialog.request_('INVITE').answer(491);
      await settle();
      rig.clock.advance(2_000);
      await settle();
    }
    expect(await outcome).toBeUndefined();
    expect(rig.dialog.requests.length).toBe(4);
  });

  it('a peer that knows the dialog no more ends the call', async () => {
    const { leg, heard } = await rig.talking();
    const outcome = leg.reoffer('sendonly');
    await settle();
    rig.dialog.request_('INVITE').answer(481);
    expect(await outcome).toBeUndefined();
    expect(heard.ends).toMatchObject([{ reason: 'signalling-lost' }]);
    expect(leg.state).toBe('terminated');
  });
});

describe('other requests inside the dialog', () => {
  it.each([
    {
      event: 'info',
      type: 'application/dtmf-relay',
      body: 'Signal=5\r\nDuration=160\r\n',
      status: 200,
      digits: ['5/160'],
    },
    {
      event: 'info',
      type: 'Application/DTMF-Relay; x=y',
      body: 'signal = *\nduration= 99999',
      status: 200,
      digits: ['*/8000'],
    },
    { event: 'info', type: 'application/dtmf-relay', body: 'Signal=11', status: 200, digits: ['#/250'] },
    { event: 'info', type: 'application/dtmf', body: '7', status: 200, digits: ['7/250'] },
    { event: 'info', type: 'application/dtmf', body: 'd', status: 200, digits: ['D/250'] },
    { event: 'info', type: 'application/dtmf-relay', body: 'Signal=77', status: 400, digits: [] },
    { event: 'info', type: 'application/dtmf-relay', body: '', status: 400, digits: [] },
    { event: 'info', type: 'application/media_control+xml', body: '<x/>', status: 415, digits: [] },
    { event: 'info', type: '', body: '', status: 200, digits: [] },
    { event: 'options', type: '', body: '', status: 200, digits: [] },
    { event: 'message', type: 'text/plain', body: 'hi', status: 405, digits: [] },
    { event: 'publish', type: '', body: '', status: 405, digits: [] },
    { event: 'subscribe', type: '', body: '', status: 489, digits: [] },
    { event: 'refer', type: '', body: '', status: 403, digits: [] },
    { event: 'notify', type: 'message/sipfrag', body: 'SIP/2.0 200 OK', status: 481, digits: [] },
  ])('$event "$body": $status', async ({ event, type, body, status, digits }) => {
    const { heard, leg } = await rig.talking();
    const headers: Record<string, string> = type ? { 'Content-Type': type } : {};
    expect(rig.dialog.receive(event, { method: event.toUpperCase(), headers, body }).last?.status).toBe(status);
    expect(heard.digits).toEqual(digits);
    expect(leg.state).toBe('confirmed');
  });

  it('a handler that throws ends nothing', async () => {
    const { leg } = await rig.talking();
    const broken = { onMedia: () => undefined, onEnd: () => undefined };
    leg.setHandlers({ ...broken, onDtmf: () => expect.unreachable() });
    const res = rig.dialog.receive('info', { headers: { 'Content-Type': 'application/dtmf' }, body: '1' });
    expect([res.last?.status, leg.state]).toEqual([200, 'confirmed']);
  });
});
