import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { readWav } from '../../src/audio/wav.ts';
import { Baresip, speaksSrtp } from '../support/baresip.ts';
import { latestCall, recordOf } from '../support/call-record.ts';
import { hasCommand } from '../support/caller-voice.ts';
import { pairFor } from '../support/certificates.ts';
import { configFolder } from '../support/config-folder.ts';
import { type Gateway, nidaa, startGateway } from '../support/gateway.ts';
import { Linphone } from '../support/linphone.ts';
import { freeTcpPort } from '../support/ports.ts';
import { EVERY_TEST } from '../support/property-runs.ts';
import { sharedDatabase } from '../support/shared-postgres.ts';
import { amplitudeAt, tone } from '../support/tones.ts';
import { until } from '../support/until.ts';

const missing = ['baresip', 'linphonec', 'espeak-ng', 'openssl'].filter((name) => !hasCommand(name));
if (!speaksSrtp()) missing.push('baresip with SRTP');
if (missing.length > 0) console.warn(`\n!!! NO CALL OVER TLS IS TESTED: ${missing.join(', ')} not installed !!!\n`);

/** Half a minute of speech: heard before and after the certificate is replaced. */
const READER = `number: "1000"
name: Reader
language: en-US
voice: emma
model: sada-1
status: live
greeting: { en: "${'Please listen, for our menu has changed since you called us last. '.repeat(10)}" }
`;

const SAYS_HZ = 440;

describe.skipIf(missing.length > 0)('a phone call over TLS with SRTP', () => {
  let folder: ReturnType<typeof configFolder>;
  let gateway: Gateway;
  let tlsPort: number;
  let first: ReturnType<typeof pairFor>;

  const write = (pair: { readonly cert: string; readonly key: string }): void => {
    writeFileSync(join(folder.dir, 'cert.pem'), pair.cert);
    writeFileSync(join(folder.dir, 'key.pem'), pair.key);
  };
  /** What a stranger is shown by the gateway, by `openssl`. */
  const handshake = (...args: readonly string[]): string => {
    const client = ['s_client', '-connect', `127.0.0.1:${tlsPort}`, '-servername', 'sip.example.com', ...args];
    const { stdout, stderr } = spawnSync('openssl', client, { input: '', timeout: 20_000 });
    return `${stdout}${stderr}`;
  };

  beforeAll(async () => {
    first = pairFor(['first.example.com', '127.0.0.1', 'localhost']);
    const phone = pairFor(['phone.example.com']);
    tlsPort = await freeTcpPort();
    folder = configFolder({ 'agents/reader.yaml': READER, 'phone.pem': phone.cert + phone.key, 'ca.pem': first.cert });
    const files = `certFile: ${folder.dir}/cert.pem, keyFile: ${folder.dir}/key.pem, port: ${tlsPort}`;
    writeFileSync(
      join(folder.dir, 'nidaa.yaml'),
      `sip: { transports: [udp, tls], mediaEncryption: require, tls: { ${files} } }\n`,
    );
    write(first);
    gateway = await startGateway({
      databaseUrl: await sharedDatabase(inject('postgresDesk')),
      env: { NIDAA_CONFIG: join(folder.dir, 'nidaa.yaml') },
    });
  });
  afterAll(async () => {
    await gateway?.dispose();
    folder?.remove();
  });

  it('is made by linphone that is registered so and takes nothing less, and both hear each other', async () => {
    const { stdout } = await nidaa(gateway, 'phone', 'create', `desk-${randomInt(1e6)}`, '--json');
    const { user, password } = JSON.parse(stdout) as { user: string; password: string };
    const line = { user, password, port: tlsPort };
    const own = await Linphone.start(
      tone(SAYS_HZ, 8000 * 30),
      { ...line, authorities: join(folder.dir, 'ca.pem') },
      'srtp',
    );
    const stranger = await Linphone.start(new Int16Array(8000), {
      ...line,
      authorities: join(folder.dir, 'phone.pem'),
    });
    try {
      expect(await own.registration('Ok', 60_000), own.output).toBe(true);
      expect(await own.call(`sip:1000@localhost:${tlsPort};transport=tls`), own.output).toBe(true);
      await until(() => own.hearing.voicedSeconds() > 1, 'the greeting', 20_000);
      own.hangup();
      expect(await own.endedWithin(20_000)).toBe(true);
      const call = await latestCall(gateway);
      expect(call).toMatchObject({
        from: user,
        end: { reason: 'caller-hangup' },
        quality: { srtpSuite: /./, packetsForged: 0 },
      });
      const recorded = readWav(readFileSync(join(gateway.dataDir, call.recording!)));
      if (typeof recorded === 'string') throw new Error(recorded);
      expect(amplitudeAt(recorded.channels[0]!.subarray(8_000, 16_000), SAYS_HZ)).toBeGreaterThan(0.1);
      expect([await stranger.registration('Failed', 60_000), await stranger.registration('Ok', 1)]).toEqual([
        true,
        false,
      ]);
    } finally {
      own.dispose();
      stranger.dispose();
    }
  });

  it.runIf(EVERY_TEST)('is held, and goes on while the certificate is replaced', async () => {
    const tls = { certificate: join(folder.dir, 'phone.pem'), authorities: join(folder.dir, 'ca.pem') };
    write(first); // A second try finds the one that replaced it.
    await until(() => handshake().includes('subject=CN = first.example.com'), 'the first certificate', 20_000);
    const phone = await Baresip.start({ transport: 'tls', tls, encryption: 'srtp-mand', maxSeconds: 60 });
    try {
      expect(await phone.call(`sip:1000@127.0.0.1:${tlsPort}`)).toEqual(expect.any(Number));
      const startedMs = Date.now();
      const before = gateway.log().length;
      const says = (words: string): boolean => gateway.log().slice(before).includes(words);
      write(pairFor(['next.example.com']));
      await until(() => says('a new certificate serves'), 'a new certificate', 20_000);
      expect(handshake()).toContain('subject=CN = next.example.com');
      writeFileSync(join(folder.dir, 'cert.pem'), 'spoilt');
      await until(() => says('goes on with the one before'), 'a certificate refused', 20_000);
      expect(handshake()).toContain('subject=CN = next.example.com');
      const { stdout } = await nidaa(gateway, 'doctor', '--json');
      expect(JSON.parse(stdout)).toContainEqual({
        ...{ check: 'certificate', state: 'fail', fix: expect.any(String) },
        detail: `${folder.dir}/cert.pem: the certificate file holds no certificate in PEM; the running gateway goes on with the one before`,
      });
      const replacedS = (Date.now() - startedMs) / 1000;
      await sleep(3_000);
      phone.hangup();
      await phone.closed(20_000);
      const heard = await phone.finish();
      expect(heard!.voicedSeconds(0, replacedS)).toBeGreaterThan(2);
      expect(heard!.voicedSeconds(replacedS, replacedS + 3)).toBeGreaterThan(0.5);
      const call = await recordOf(gateway, phone.sipCallId);
      expect(call.end).toMatchObject({ party: 'caller', reason: 'caller-hangup' });
    } finally {
      phone.dispose();
    }
  });

  it('does not come about where the phone does not believe the certificate, and the log says why', async () => {
    handshake('-CAfile', join(folder.dir, 'phone.pem'), '-verify_return_error');
    await until(
      () => gateway.log().includes('"code":"ERR_SSL_TLSV1_ALERT_UNKNOWN_CA"'),
      'the reason in the log',
      15_000,
    );
  });

  it('is not spoken below TLS 1.2', () => {
    expect(handshake('-tls1_1', '-cipher', 'ALL:@SECLEVEL=0')).not.toContain('subject=');
  });
});
