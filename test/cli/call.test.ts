import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { type CallWish, call } from '../../src/cli/call.ts';
import { buildProgram } from '../../src/cli/program.ts';
import { loadConfig } from '../../src/config/load.ts';
import { silentLogger } from '../../src/core/logger.ts';
import { sphinxInstalled } from '../../src/engines/stt/model-folder.ts';
import { recordOf } from '../support/call-record.ts';
import { hasCommand } from '../support/caller-voice.ts';
import { runNidaa } from '../support/command-line.ts';
import { nidaa, type RunningGateway } from '../support/gateway.ts';
import { withStore } from '../support/gateway-store.ts';
import { Heard } from '../support/heard.ts';
import { MemoryOutput } from '../support/memory-output.ts';
import { temporaryFolder } from '../support/postgres-store.ts';
import { EVERY_TEST } from '../support/property-runs.ts';
import { sharedGateway } from '../support/shared-gateway.ts';

interface PlacedCall {
  readonly answered: boolean;
  readonly status: number | null;
  readonly sip_call_id: string | null;
  readonly heard: readonly { from_ms: number; to_ms: number }[];
  readonly said: readonly { from_ms: number; to_ms: number; text: string }[];
  readonly end: { party: string; reason: string; detail: string | null };
  readonly quality: { packetsReceived: number; packetsSent: number } | null;
  readonly recording: string | null;
}

const missing = !hasCommand('espeak-ng');
if (missing) console.warn('\n!!! NO PLACED CALL IS TESTED: espeak-ng not installed !!!\n');

describe.skipIf(missing)('nidaa call', { concurrent: true }, () => {
  let gateway: RunningGateway;
  beforeAll(async () => {
    gateway = await sharedGateway(inject('gatewayDesk'));
  });

  /** In this process. @returns what is printed. */
  const place = async (wish: Partial<CallWish> & { uri: string }, json = true): Promise<[boolean, string]> => {
    const out = new MemoryOutput(json);
    const context = {
      ...{ out, config: loadConfig({ env: gateway.env }), logger: silentLogger },
      withStore: <T>(work: Parameters<typeof withStore<T>>[1]) => withStore(gateway, work),
      ...{ far: undefined, withDesk: () => Promise.reject(new Error('a call asks the record alone')) },
    };
    const told = { steps: [], from: 'nidaa', language: 'en-US', seconds: 120, patience: 1200 };
    return [await call(context, { ...told, ...wish }), out.text];
  };

  it('speaks with an agent, hears it, and records both sides', async () => {
    const record = join(temporaryFolder(), 'placed.wav');
    const steps = ['--pause', '1500', '--interrupt', 'good morning', '--pause', '1200', '--keys', '1'];
    const to = ['--seconds', '8', '--record', record, '--json'];
    const { code, stdout, stderr } = await nidaa(gateway, 'call', gateway.sip, ...steps, ...to);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const placed = JSON.parse(stdout) as PlacedCall;
    expect(placed).toMatchObject({ answered: true, status: 200, recording: record });
    expect(placed.heard[0]!.from_ms).toBeLessThan(3000);
    expect(placed.said[0]).toMatchObject({ text: 'good morning' });
    expect(placed.quality!.packetsReceived).toBeGreaterThan(50);
    const [said] = placed.said;
    const [left, right] = [Heard.file(record, 0), Heard.file(record, 1)];
    rmSync(dirname(record), { recursive: true });
    expect(left.voicedSeconds()).toBeGreaterThan(0.8); // the agent
    expect(right.voicedSeconds(0, said!.from_ms / 1000 - 0.3)).toBe(0);
    expect(right.voicedSeconds(said!.from_ms / 1000 - 0.3, said!.to_ms / 1000 + 0.3)).toBeGreaterThan(0.3);
    expect(await recordOf(gateway, placed.sip_call_id!)).toMatchObject({ agent: 'Swift Delivery' });
  });

  it.skipIf(!EVERY_TEST || !sphinxInstalled())(
    'is understood by the agent, waits for its answers, and tells people what happened',
    async () => {
      const steps = ['--say', 'track my order', '--keys', '4521'];
      const { code, stdout } = await nidaa(gateway, 'call', gateway.sip, ...steps);
      expect(code).toBe(0);
      expect(stdout).toMatch(/^answered by sip:1000@127\.0\.0\.1:\d+ after \d+ ms, called from 127\.0\.0\.1$/m);
      expect(stdout).toMatch(/^ +\d+\.\d s - +\d+\.\d s {2}heard$/m); // no guess beside what was written down
      const [, record = ''] = /^what the gateway understood and said \(call_\w+\):\n((?: +.*\n)+)/m.exec(stdout) ?? [];
      const said = record.split('\n').map((line) => /s {2}(agent|caller) +(.*?)(?: {2}\(.*\))?$/.exec(line)?.slice(1));
      const by = (who: string): string[] =>
        said.flatMap((turn) => (turn?.[0] === who && turn[1] !== undefined ? [turn[1]] : []));
      expect(by('caller')).toEqual(['track my order', '4521']);
      // On a busy machine "One moment." comes before the question, or the keys make it needless.
      const answers = by('agent');
      for (const between of answers.slice(1, -1))
        expect(['One moment.', 'What is your order number?']).toContain(between);
      expect([answers[0], answers.at(-1)]).toEqual([
        expect.stringMatching(/^Hello, this is Emma/),
        expect.stringMatching(/^Order 4 5 2 1/),
      ]);
      expect(stdout).toMatch(/^quality +MOS \d\.\d/m);
    },
  );

  it('goes over TCP, plays a file, and hangs up in time', async () => {
    const file = join(process.cwd(), 'test/fixtures/speech/digits/3_george_0.wav');
    const steps = [{ type: 'wav', file }] as const;
    const [isAnswered, printed] = await place({ uri: gateway.sip, transport: 'tcp', steps, seconds: 2 });
    expect(isAnswered).toBe(true);
    expect((JSON.parse(printed) as PlacedCall).end).toMatchObject({ party: 'caller', reason: 'max-duration' });
  });

  it('is encrypted where that is asked for', async () => {
    const [isAnswered, printed] = await place({ uri: gateway.sip, encryption: 'require', seconds: 2 });
    expect(isAnswered).toBe(true);
    const { quality } = JSON.parse(printed) as PlacedCall;
    expect(quality).toMatchObject({ srtpSuite: 'AEAD_AES_256_GCM', packetsForged: 0 });
    expect(quality!.packetsReceived).toBeGreaterThan(50);
  });

  it('fails when nobody has the number', async () => {
    const uri = `9999@127.0.0.1:${gateway.sipPort}`;
    const { code, stdout } = await nidaa(gateway, 'call', uri, '--json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ answered: false, status: 404, end: { reason: 'no-such-number' }, quality: null, record: null },
      ...{ reason: expect.stringMatching(/^Q\.850;cause=1;/), warning: expect.stringMatching(/^399 /) },
    });
    const [isAnswered, printed] = await place({ uri }, false);
    expect(isAnswered).toBe(false);
    expect(printed).toMatch(/^not answered .*SIP 404.*\nReason: Q\.850;cause=1;.*\nWarning: 399 .*\n$/);
  });

  it.each([
    ['no SIP address', ['nonsense nonsense'], /is no SIP address/],
    ['a number without a host', ['1000'], /^1000 names no host: .* sip:1000@127\.0\.0\.1:5060$/],
    ['a telephone URI', ['tel:+966112345678'], /names no host: .* sip:\+966112345678@/],
    ['a file that is not there', ['sip:1@127.0.0.1', '--wav', '/nowhere.wav'], /WAV file cannot be read/],
    ['an encryption that is none', ['sip:1@127.0.0.1', '--encryption', 'some'], /Expected none, allow or require/],
    ['keys that are none', ['sip:1@127.0.0.1', '--keys', '12x'], /Expected keys/],
    [
      'an address of somebody else',
      ['sip:1@127.0.0.1', '--bind', '192.0.2.77'],
      /192\.0\.2\.77 is no address of this machine/,
    ],
    [
      'a recording that cannot be written',
      ['sip:1@127.0.0.1', '--record', '/nowhere/x.wav'],
      /recording cannot be written/,
    ],
    [
      'a voice that does not exist',
      ['sip:1@127.0.0.1', '--say', 'x', '--voice', 'xx-nobody'],
      /Voice xx-nobody cannot/,
    ],
  ])('refuses %s', async (_name, args, sentence) => {
    await expect(buildProgram().parseAsync(['node', 'nidaa', 'call', ...args])).rejects.toThrow(sentence);
  });
});

describe('nidaa call with credentials', () => {
  it('answers the challenge of a trunk, and tells its refusal', async () => {
    const trunk = createSocket('udp4').bind(0, '127.0.0.1');
    await once(trunk, 'listening');
    const requests: string[] = [];
    trunk.on('message', (data, from) => {
      const text = data.toString();
      if (!text.startsWith('INVITE')) return;
      requests.push(text);
      const copied = text.split('\r\n').filter((line) => /^(via|from|call-id|cseq):/i.test(line));
      const to = /^To:.*$/im.exec(text)![0];
      const challenge = 'Proxy-Authenticate: Digest realm="trunk", nonce="abc", algorithm=MD5, qop="auth"';
      const status =
        requests.length === 1 ? ['SIP/2.0 407 Proxy Authentication Required', challenge] : ['SIP/2.0 603 Decline'];
      const lines = [status[0], ...copied, `${to};tag=t1`, ...status.slice(1), 'Content-Length: 0', '', ''];
      trunk.send(lines.join('\r\n'), from.port, from.address);
    });
    const { port } = trunk.address();
    const args = ['call', `sip:+966112345678@127.0.0.1:${port}`, '--user', 'acme', '--password', '-', '--json'];
    const { code, stdout } = await runNidaa({}, args, 'secret\n');
    trunk.close();
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ answered: false, status: 603 });
    expect(requests[0]).toMatch(/^INVITE sip:\+966112345678@/);
    expect(requests[1]).toMatch(/^Proxy-Authorization: Digest .*username="acme"/m);
  });
});
