import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { Baresip, speaksSrtp } from '../support/baresip.ts';
import { recordOf, saidIn } from '../support/call-record.ts';
import { hasCommand } from '../support/caller-voice.ts';
import { type Gateway, prepared, startGateway } from '../support/gateway.ts';
import { personsConfig } from '../support/persons-config.ts';
import { freeSipPort } from '../support/ports.ts';
import { HAS_RTPENGINE, Rtpengine } from '../support/rtpengine.ts';
import { sharedDatabase } from '../support/shared-postgres.ts';
import { amplitudeAt, tone } from '../support/tones.ts';
import { until } from '../support/until.ts';
import { VoicePhone } from '../support/voice-phone.ts';

const SECONDS = 90;
const [CALLER_HZ, PERSON_HZ] = [440, 1000];
/** A second, in which a caller who is joined with a person is heard and hears. */
const TALK_PACKETS = 50;
const WINDOW = 4_000; // samples: half a second
const isTried = process.env['NIDAA_TEST_LONG'] === '1' && HAS_RTPENGINE && speaksSrtp() && hasCommand('espeak-ng');

describe.skipIf(!isTried)('somebody whom a caller is put through to, by a real rtpengine', () => {
  let engine: Rtpengine;
  let gateway: Gateway;
  let person: VoicePhone;
  let caller: Baresip;
  let config: ReturnType<typeof personsConfig> | undefined;
  beforeAll(async () => {
    engine = await Rtpengine.start();
    const sipPort = await freeSipPort();
    person = await VoicePhone.open(sipPort);
    config = personsConfig({ 1006: person.uri }, { 1006: '{ mode: announced, accept: key }' });
    const env = {
      NIDAA_CONFIG: join(config.dir, 'nidaa.yaml'),
      NIDAA_SIP_PORT: String(sipPort),
      NIDAA_MEDIA_EDGE: engine.address,
    };
    gateway = await startGateway({ env, databaseUrl: await sharedDatabase(inject('postgresDesk')) });
    await prepared(gateway);
    caller = await Baresip.start({ encryption: 'srtp-mand', maxSeconds: SECONDS });
  });
  afterAll(async () => {
    caller?.dispose();
    person?.sip.answerByes();
    await gateway?.dispose();
    person?.close();
    await engine?.kill();
    config?.remove();
  });

  it('has a way of their own through it, in the clear beside one with keys, and both are given back', async () => {
    expect(await caller.call(`sip:1006@127.0.0.1:${gateway.sipPort}`), caller.log).toBeTypeOf('number');
    expect((await engine.held()).calls).toBe(1);
    await saidIn(gateway, caller.sipCallId, 'How can I help you');
    await caller.press('0');
    await person.ringing();
    expect((await engine.held()).calls).toBe(2);
    await person.answer(PERSON_HZ);
    await until(() => person.peak > 0.05, 'what they are told');
    caller.say(tone(CALLER_HZ, 8000 * SECONDS, { amplitude: 0.3 }));
    person.key(1);
    await person.hears(CALLER_HZ);
    const { length } = person.audio.heard;
    await until(() => person.audio.heard.length > length + TALK_PACKETS, 'a second of talk');
    expect((await engine.held()).calls).toBe(2);
    await person.hangUp();
    expect(await caller.closed(20_000), caller.log).toBeTypeOf('string');

    const { samples } = (await caller.finish())!;
    const windows = Array.from({ length: Math.floor(samples.length / WINDOW) }, (_, n) =>
      samples.subarray(n * WINDOW, (n + 1) * WINDOW),
    );
    expect(Math.max(...windows.map((window) => amplitudeAt(window, PERSON_HZ)))).toBeGreaterThan(0.1);
    const call = await recordOf(gateway, caller.sipCallId);
    expect(call.transfers).toMatchObject([{ target: person.uri, by: 'bridge', outcome: 'joined' }]);
    expect(call.quality).toMatchObject({ edge: engine.address, outerProtocol: 'RTP/SAVP', outerKeys: 'sdes' });
    await engine.free();
  });
});
