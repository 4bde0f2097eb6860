import { beforeEach, describe, expect, it } from 'vitest';
import type { AudioDescription, NegotiatedMedia } from '../../src/media/description.ts';
import type { AudioAnswer, MediaSession, RemoteAudio, SessionRefusal } from '../../src/media/media-session.ts';
import { acceptAudio, answerAudio, offerAudio } from '../../src/media/rtp/rtp-session.ts';
import { MEDIA_WAIT_MS } from '../../src/sip/media-exchange.ts';
import { FakeResponse, fakeRequest, settle } from '../support/fake-srf.ts';
import { end, held, LegRig, local, sdpBody } from '../support/leg-rig.ts';
import { sdpText } from '../support/sdp-texts.ts';

type Decision = AudioDescription | AudioAnswer | NegotiatedMedia | SessionRefusal;

/** Media that takes its time: each question waits for the test. */
class SlowMedia implements MediaSession {
  readonly asked: string[] = [];
  #decide: ((decision?: Decision) => void) | undefined;
  #fail: ((error: Error) => void) | undefined;
  #ask<T extends Decision>(what: string, usual: T | SessionRefusal): Promise<T | SessionRefusal> {
    this.asked.push(what);
    return new Promise((resolve, reject) => {
      this.#decide = (decision) => resolve((decision as T | undefined) ?? usual);
      this.#fail = reject;
    });
  }
  offer(direction: NegotiatedMedia['direction']) {
    return this.#ask(`offer ${direction}`, offerAudio(local, direction));
  }
  answer(remote: RemoteAudio) {
    return this.#ask(`answer ${remote.streams.length}`, answerAudio(local, remote));
  }
  accept(remote: RemoteAudio, offered: AudioDescription) {
    return this.#ask(`accept ${remote.streams.length}`, acceptAudio(remote, offered));
  }
  /** Answers the open question; without a decision as plain RTP would. */
  async decide(decision?: Decision): Promise<void> {
    this.#decide?.(decision);
    await settle();
  }
  async fail(): Promise<void> {
    this.#fail?.(new Error('relay is gone: 10.0.0.7'));
    await settle();
  }
}

const noCodec: SessionRefusal = { refused: 'no-codec', text: 'None of these' };
const failed: SessionRefusal = { refused: 'failed', text: 'The relay is full' };
const ack = (sequence: number, body = '') =>
  fakeRequest({ method: 'ACK', body, headers: { CSeq: `${sequence} ACK`, 'Content-Type': 'application/sdp' } });

let rig: LegRig;
let media: SlowMedia;
beforeEach(() => {
  rig = new LegRig();
  media = new SlowMedia();
});

/** A call that is up, with media that was quick so far. */
async function talking() {
  const call = rig.incoming();
  const answered = call.leg.answer(media);
  await settle();
  await media.decide();
  rig.srf.uas[0]?.done(null, rig.dialog);
  rig.dialog.emit('ack', ack(1));
  return { ...call, media: await answered };
}

describe('while media thinks about the answer to a call', () => {
  it('nothing is sent; then its answer is', async () => {
    const { leg } = rig.incoming();
    void leg.answer(media).catch(() => undefined);
    await settle();
    expect([rig.srf.uas.length, leg.state, media.asked]).toEqual([0, 'deciding', ['answer 1']]);
    await media.decide();
    expect([rig.srf.uas.length, leg.state]).toEqual([1, 'accepted']);
  });

  it('a second answer is not asked for', async () => {
    const { leg } = rig.incoming();
    void leg.answer(media).catch(() => undefined);
    await expect(leg.answer(media)).rejects.toMatchObject({ end: { reason: 'internal' } });
    expect(media.asked.length).toBe(1);
  });

  it.each([
    { name: 'a CANCEL', ends: 'cancel', reason: 'cancelled', sent: undefined },
    { name: 'our own end', ends: 'hangup', reason: 'cancelled', sent: 603 },
    { name: 'a lost connection', ends: 'lost', reason: 'signalling-lost', sent: undefined },
  ])('$name ends the call, and its late answer goes nowhere', async ({ ends, reason, sent }) => {
    const { leg, req, res } = rig.incoming();
    const answered = leg.answer(media);
    answered.catch(() => undefined);
    await settle();
    if (ends === 'cancel') req.emit('cancel');
    else if (ends === 'lost') leg.lost();
    else await leg.hangup(end);
    await media.decide();
    await expect(answered).rejects.toMatchObject({ end: { reason } });
    expect([rig.srf.uas.length, leg.state, res.last?.status, rig.closed]).toEqual([0, 'terminated', sent, 1]);
  });

  it.each([
    { name: 'refuses', decide: () => media.decide(noCodec), status: 488, warning: '305 nidaa "None of these"' },
    { name: 'is full', decide: () => media.decide(failed), status: 500, warning: '399 nidaa "The relay is full"' },
    { name: 'breaks', decide: () => media.fail(), status: 500, warning: '399 nidaa "The media path failed"' },
    {
      name: 'is late',
      decide: async () => {
        rig.clock.advance(MEDIA_WAIT_MS);
        await settle();
      },
      status: 500,
      warning: '399 nidaa "Media did not decide in time"',
    },
  ])('media that $name: $status', async ({ decide, status, warning }) => {
    const { leg, res } = rig.incoming();
    const answered = leg.answer(media);
    answered.catch(() => undefined);
    await settle();
    await decide();
    await expect(answered).rejects.toMatchObject({ end: { reason: status === 488 ? 'no-codec' : 'media-failed' } });
    expect(res.last).toMatchObject({ status, headers: { Warning: warning } });
    expect([leg.state, rig.clock.pending]).toEqual(['terminated', 0]);
  });

  it('a late offer of a call: media offers, and accepts at the ACK', async () => {
    const { leg } = rig.incoming({ offer: '' });
    const answered = leg.answer(media);
    await settle();
    await media.decide();
    rig.srf.uas[0]?.done(null, rig.dialog);
    rig.dialog.emit('ack', ack(1, sdpText({ media: ['m=audio 4100 RTP/AVP 8'] })));
    await settle();
    expect([leg.state, media.asked]).toEqual(['confirmed', ['offer sendrecv', 'accept 1']]);
    await media.decide();
    expect(await answered).toMatchObject({ codec: 'PCMA' });
  });

  it('a late offer whose answer media does not take is hung up', async () => {
    const { leg, heard } = rig.incoming({ offer: '' });
    const answered = leg.answer(media);
    answered.catch(() => undefined);
    await settle();
    await media.decide();
    rig.srf.uas[0]?.done(null, rig.dialog);
    rig.dialog.emit('ack', ack(1, sdpText()));
    await settle();
    await media.decide(failed);
    await expect(answered).rejects.toMatchObject({ end: { reason: 'media-failed' } });
    expect([rig.dialog.request_('BYE').method, heard.ends.length]).toEqual(['BYE', 1]);
  });
});

describe('while media thinks about a re-INVITE', () => {
  it('a further offer is told to wait, ours waits as well, and the first is answered', async () => {
    const { leg, heard } = await talking();
    const first = rig.dialog.receive('modify', sdpBody(held));
    await settle();
    const [second, update, plain] = [
      await rig.dialog.ask('modify', sdpBody(sdpText())),
      await rig.dialog.ask('update', sdpBody(sdpText())),
      await rig.dialog.ask('update'),
    ];
    expect([second, update, plain].map(({ last }) => last?.status)).toEqual([500, 500, 200]);
    expect(Number(second.last?.headers?.['Retry-After'])).toBeLessThanOrEqual(10);
    void leg.reoffer('sendonly');
    await settle();
    expect([rig.dialog.requests, first.sent, media.asked.length]).toEqual([[], [], 2]);
    await media.decide();
    expect([first.last?.status, heard.media.map(({ direction }) => direction)]).toEqual([200, ['recvonly']]);
  });

  it.each([
    { name: 'refuses', decide: () => media.decide(noCodec), status: 488 },
    { name: 'breaks', decide: () => media.fail(), status: 500 },
  ])('media that $name: $status, and the call goes on as before', async ({ decide, status }) => {
    const { leg, heard, media: before } = await talking();
    const reply = rig.dialog.receive('modify', sdpBody(held));
    await settle();
    await decide();
    expect([reply.last?.status, leg.media, heard.media]).toEqual([status, before, []]);
    const again = rig.dialog.receive('modify', sdpBody(held));
    await settle();
    await media.decide();
    expect([again.last?.status, leg.media?.direction]).toEqual([200, 'recvonly']);
  });

  it('a BYE ends the call; nothing is answered or told after it', async () => {
    const { leg, heard, media: before } = await talking();
    const reply = rig.dialog.receive('modify', sdpBody(held));
    await settle();
    rig.dialog.emit('destroy', fakeRequest({ method: 'BYE' }));
    await media.decide();
    expect([reply.sent, heard.media, leg.media, heard.ends.length]).toEqual([[], [], before, 1]);
    expect(rig.clock.pending).toBe(0);
  });

  it('a CANCEL, which the SIP server answered: the answer is not sent, and moves nothing', async () => {
    const { leg, heard, media: before } = await talking();
    rig.dialog.receive('modify', sdpBody(held), new FakeResponse('Response not sent due to unknown transaction'));
    await settle();
    await media.decide();
    expect([leg.media, heard.media]).toEqual([before, []]);
  });

  it('without an offer: ours is being made, so another offer is glare', async () => {
    await talking();
    const late = rig.dialog.receive('modify');
    await settle();
    expect((await rig.dialog.ask('modify', sdpBody(sdpText()))).last?.status).toBe(491);
    await media.decide();
    expect([late.last?.status, media.asked]).toEqual([200, ['answer 1', 'offer sendrecv']]);
  });
});

describe('our own re-INVITE', () => {
  it('is sent when media has made it, and taken when media accepts it', async () => {
    const { leg, heard } = await talking();
    const outcome = leg.reoffer('sendonly');
    await settle();
    expect(rig.dialog.requests).toEqual([]);
    await media.decide();
    const answer = sdpText({ media: ['m=audio 4000 RTP/AVP 0', 'a=recvonly'] });
    rig.dialog.request_('INVITE').answer(200, { body: answer });
    await settle();
    expect(heard.media).toEqual([]);
    await media.decide();
    expect([await outcome, heard.media.length]).toMatchObject([{ direction: 'sendonly' }, 1]);
  });

  it('is not sent when the call ends first', async () => {
    const { leg } = await talking();
    const outcome = leg.reoffer('sendonly');
    await settle();
    rig.dialog.emit('destroy', fakeRequest({ method: 'BYE' }));
    await media.decide();
    expect([await outcome, rig.dialog.requests]).toEqual([undefined, []]);
  });
});
