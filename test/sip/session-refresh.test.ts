import { beforeEach, describe, expect, it } from 'vitest';
import { DigestClient } from '../../src/sip/digest.ts';
import {
  AGAIN_SHARE,
  FIRST_SHARE,
  REFRESH_TRIES_MAX,
  type RefreshStep,
  refreshStep,
} from '../../src/sip/session-refresh.ts';
import { FakeMessage, type fakeRequest, settle } from '../support/fake-srf.ts';
import { end, held, LegRig, sdpBody } from '../support/leg-rig.ts';
import { sdpText } from '../support/sdp-texts.ts';

describe('what comes of a refresh', () => {
  const plain = { raises: false, theirs: false };
  it.each<[number, Partial<typeof plain>, RefreshStep]>([
    [200, {}, 'refreshed'],
    [202, {}, 'refreshed'],
    [200, { theirs: true }, 'theirs'],
    [0, {}, 'again'],
    [302, {}, 'again'],
    [401, {}, 'refused'],
    [407, {}, 'refused'],
    [405, {}, 'by-invite'],
    [501, {}, 'by-invite'],
    [408, {}, 'gone'],
    [481, {}, 'gone'],
    [422, {}, 'again'],
    [422, { raises: true }, 'raise'],
    [491, {}, 'again'],
    [500, { raises: true }, 'again'],
    [503, {}, 'again'],
  ])('%i %o is %s', (status, facts, step) => {
    expect(refreshStep({ ...plain, ...facts, status })).toBe(step);
  });

  it('all tries of an interval are over before a peer gives the call up', () => {
    expect(FIRST_SHARE + (REFRESH_TRIES_MAX - 1) * AGAIN_SHARE).toBeLessThan(2 / 3);
    expect(90 * FIRST_SHARE).toBeLessThan(45 - 5);
  });
});

describe('a session of ours with a peer that wants credentials', () => {
  let rig: LegRig;
  beforeEach(() => {
    rig = new LegRig();
  });

  const AGREED = { 'Session-Expires': '90;refresher=uac', Allow: 'INVITE, BYE, UPDATE' };
  const dialled = (headers: Record<string, string> = AGREED, withCredentials = true) => {
    if (withCredentials) rig.digest = new DigestClient({ username: 'u', password: 'p' }, () => 'c');
    rig.dialog.res = new FakeMessage({ headers });
    return rig.outgoing();
  };
  const challenge = (nonce: string) => ({
    headers: { 'WWW-Authenticate': `Digest realm="r", nonce="${nonce}", qop="auth"` },
    req: { uri: 'sip:bob@192.0.2.10' },
  });
  const sent = (): string[] => rig.dialog.requests.map(({ method }) => method);
  const pass = (seconds: number): Promise<void> => rig.clock.advanceAsync(seconds * 1000, 500);
  const answer = async (status: number, parts: Parameters<typeof fakeRequest>[0] = {}): Promise<void> => {
    rig.dialog.requests.at(-1)!.answer(status, parts);
    await settle();
  };

  it('is refreshed by UPDATE before the SIP server would, and the challenge to that is answered', async () => {
    const leg = dialled();
    await pass(35.5);
    expect(sent()).toEqual([]);
    await pass(0.5);
    expect(sent()).toEqual(['UPDATE']);
    const first = rig.dialog.request_('UPDATE');
    expect(first.headers).toMatchObject({ Supported: 'timer', 'Session-Expires': '90;refresher=uac' });
    expect([first.headers?.['Contact'], first.body]).toEqual([rig.dialog.local.contact, undefined]);
    await answer(401, challenge('n1'));
    expect(rig.dialog.request_('UPDATE').headers?.['Authorization']).toContain('nonce="n1"');
    await answer(200, { headers: { 'Session-Expires': '90;refresher=uac' } });
    await pass(36);
    expect(sent()).toEqual(['UPDATE', 'UPDATE', 'UPDATE']);
    expect(leg.state).toBe('confirmed');
  });

  it('is refreshed by re-INVITE where the peer takes no UPDATE', async () => {
    const leg = dialled({ 'Session-Expires': '90' });
    const media: string[] = [];
    leg.setHandlers({ onMedia: ({ direction }) => media.push(direction), onDtmf: () => {}, onEnd: () => {} });
    await pass(36);
    const invite = rig.dialog.request_('INVITE');
    expect(invite.headers).toMatchObject({ 'Session-Expires': '90;refresher=uac', Contact: rig.dialog.local.contact });
    expect(invite.body).toContain('m=audio 20000');
    await answer(407, {
      headers: { 'Proxy-Authenticate': 'Digest realm="p", nonce="n1"' },
      req: { uri: 'sip:bob@192.0.2.10' },
    });
    expect(rig.dialog.request_('INVITE').headers?.['Proxy-Authorization']).toContain('nonce="n1"');
    await answer(200, { body: held });
    expect(media).toEqual(['recvonly']); // who held us goes on holding us
    await pass(36);
    expect(sent()).toEqual(['INVITE', 'INVITE', 'INVITE']);
  });

  it('is refreshed by re-INVITE where the SIP server leaves the terms to us: an UPDATE would not count there', async () => {
    Object.assign(rig.context, { sessionTimers: { sessionSeconds: 90, minSeconds: 90 } });
    dialled();
    await pass(36);
    expect(sent()).toEqual(['INVITE']);
  });

  it.each([405, 501])('goes over to re-INVITE for good after %i', async (status) => {
    dialled();
    await pass(36);
    await answer(status);
    expect(sent()).toEqual(['UPDATE', 'INVITE']);
    await answer(200, { body: sdpText() });
    await pass(36);
    expect(sent()).toEqual(['UPDATE', 'INVITE', 'INVITE']);
  });

  it('asks for as long as the peer wants, and is refreshed by that', async () => {
    dialled();
    await pass(36);
    await answer(422, { headers: { 'Min-SE': '200' } });
    expect(rig.dialog.request_('UPDATE').headers?.['Session-Expires']).toBe('200;refresher=uac');
    await answer(200, { headers: { 'Session-Expires': '300;refresher=uac' } });
    await pass(119.5);
    expect(sent().length).toBe(2);
    await pass(0.5);
    expect(rig.dialog.request_('UPDATE').headers?.['Session-Expires']).toBe('300;refresher=uac');
  });

  it('that asks for ever more is not asked for ever', async () => {
    dialled();
    await pass(36);
    for (let least = 100; least < 2000 && sent().length === (least - 100) / 100 + 1; least += 100) {
      await answer(422, { headers: { 'Min-SE': String(least) } });
    }
    expect(sent().length).toBe(REFRESH_TRIES_MAX);
  });

  it('is tried again a few times when it is refused for now, and in the next interval', async () => {
    dialled();
    await pass(36);
    for (let tries = 1; tries <= REFRESH_TRIES_MAX; tries += 1) {
      expect(sent().length).toBe(tries);
      await answer(503);
      await pass(7.5);
    }
    expect(sent().length).toBe(REFRESH_TRIES_MAX);
    await pass(36);
    expect(sent().length).toBe(REFRESH_TRIES_MAX + 1);
  });

  it.each([408, 481])('is over when its dialog is gone: %i', async (status) => {
    const leg = dialled();
    const ends: string[] = [];
    leg.setHandlers({ onMedia: () => {}, onDtmf: () => {}, onEnd: ({ reason }) => ends.push(reason) });
    await pass(36);
    await answer(status);
    await answer(200); // the BYE
    expect([ends, leg.state, sent(), rig.clock.pending]).toEqual([
      ['signalling-lost'],
      'terminated',
      ['UPDATE', 'BYE'],
      0,
    ]);
  });

  it('is left to the SIP server when the credentials are refused', async () => {
    const leg = dialled();
    await pass(36);
    await answer(401, challenge('n1'));
    await answer(401, challenge('n2'));
    await pass(200);
    expect([sent(), leg.state]).toEqual([['UPDATE', 'UPDATE'], 'confirmed']);
  });

  it('is left to the peer that takes it over', async () => {
    dialled();
    await pass(36);
    await answer(200, { headers: { 'Session-Expires': '90;refresher=uas' } });
    await pass(200);
    expect(sent()).toEqual(['UPDATE']);
  });

  it.each<[string, Record<string, string>, boolean]>([
    ['without credentials', AGREED, false],
    ['without a session timer', { Allow: 'UPDATE' }, true],
    ['that the peer refreshes', { ...AGREED, 'Session-Expires': '90;refresher=uas' }, true],
  ])('%s is not refreshed here', async (_name, headers, withCredentials) => {
    dialled(headers, withCredentials);
    await pass(200);
    expect([sent(), rig.clock.pending]).toEqual([[], 0]);
  });

  it('that ended is refreshed no more, also when its refresh is answered after that', async () => {
    const leg = dialled();
    await pass(36);
    const update = rig.dialog.request_('UPDATE');
    const over = leg.hangup(end);
    rig.dialog.request_('BYE').answer(200);
    await over;
    update.answer(200, { headers: { 'Session-Expires': '90' } });
    await settle();
    await pass(200);
    expect([sent(), rig.clock.pending]).toEqual([['UPDATE', 'BYE'], 0]);
  });

  it('waits while the SIP server is away', async () => {
    const leg = dialled();
    await pass(10);
    leg.cut();
    await pass(27);
    expect(sent()).toEqual([]);
    void leg.back();
    await pass(7);
    expect(sent()).toContain('UPDATE');
    expect((await rig.dialog.ask('update', sdpBody(held))).last?.status).toBe(200);
  });
});
