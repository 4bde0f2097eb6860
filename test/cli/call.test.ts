import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sphinxInstalled } from '../../src/engines/stt/model-folder.ts';
import { hasCommand } from '../support/caller-voice.ts';
import { runNidaa } from '../support/command-line.ts';
import { type Gateway, nidaa, startGateway } from '../support/gateway.ts';
import { Heard } from '../support/heard.ts';

interface PlacedCall {
  readonly answered: boolean;
  readonly status: number | null;
  readonly sip_call_id: string | null;
  readonly heard: readonly { from_ms: number; to_ms: number }[];
  readonly said: readonly { from_ms: number; to_ms: number; text: string }[];
  readonly end: { party: string; reason: string; detail: string | null };
  readonly quality: { packetsReceived: number; packetsSent: number } | null;
  readonly recording: string | null;
  readonly record: { readonly turns: readonly { role: string; text: string }[] } | null;
}

const missing = !hasCommand('espeak-ng');
if (missing) console.warn('\n!!! NO PLACED CALL IS TESTED: espeak-ng not installed !!!\n');

describe.skipIf(missing)('nidaa call', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway?.dispose());

  const call = async (...args: string[]): Promise<{ code: number | null; placed: PlacedCall; stderr: string }> => {
    const { code, stdout, stderr } = await nidaa(gateway, 'call', ...args, '--json');
    return { code, placed: JSON.parse(stdout || 'null') as PlacedCall, stderr };
  };

  it('speaks with an agent, hears it, and records both sides', async () => {
    const record = join(gateway.dataDir, 'placed.wav');
    const steps = ['--pause', '1500', '--interrupt', 'good morning', '--pause', '1200', '--keys', '1'];
    const { code, placed, stderr } = await call(gateway.sip, ...steps, '--seconds', '12', '--record', record);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(placed).toMatchObject({ answered: true, status: 200, recording: record });
    expect(placed.heard[0]!.from_ms).toBeLessThan(3000);
    expect(placed.said[0]).toMatchObject({ text: 'good morning' });
    expect(placed.quality!.packetsReceived).toBeGreaterThan(50);
    const [said] = placed.said;
    const [left, right] = [Heard.file(record, 0), Heard.file(record, 1)];
    expect(left.voicedSeconds()).toBeGreaterThan(0.8); // the agent
    expect(right.voicedSeconds(0, said!.from_ms / 1000 - 0.3)).toBe(0);
    expect(right.voicedSeconds(said!.from_ms / 1000 - 0.3, said!.to_ms / 1000 + 0.3)).toBeGreaterThan(0.3);
    const shown = await nidaa(gateway, 'calls', 'show', placed.sip_call_id!, '--json');
    expect(JSON.parse(shown.stdout)).toMatchObject({ sip_call_id: placed.sip_call_id, agent: 'Swift Delivery' });
  }, 40_000);

  it.skipIf(!sphinxInstalled())(
    'is understood by the agent, waits for its answers, and shows what it understood',
    async () => {
      const { code, placed } = await call(gateway.sip, '--say', 'track my order', '--keys', '4521');
      expect(code).toBe(0);
      const said = placed.record!.turns.map(({ role, text }) => `${role}: ${text}`);
      expect(said.slice(1)).toEqual([
        ...['caller: track my order', 'agent: What is your order number?', 'caller: 4521'],
        expect.stringMatching(/^agent: Order 4 5 2 1/),
      ]);
    },
    90_000,
  );

  it('goes over TCP, plays a file, and hangs up in time', async () => {
    const clip = join(process.cwd(), 'test/fixtures/speech/digits/3_george_0.wav');
    const steps = ['--transport', 'tcp', '--wav', clip, '--seconds', '2'];
    const { code, placed } = await call(gateway.sip, ...steps);
    expect(code).toBe(0);
    expect(placed.end).toMatchObject({ party: 'caller', reason: 'max-duration' });
  });

  it('tells people what happened', async () => {
    const { code, stdout } = await nidaa(gateway, 'call', gateway.sip, '--seconds', '3');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^answered by sip:1000@127\.0\.0\.1:\d+ after \d+ ms, called from 127\.0\.0\.1$/m);
    expect(stdout).toMatch(/^ +\d+\.\d s - +\d+\.\d s {2}heard$/m); // no guess beside what was written down
    expect(stdout).toMatch(
      /^what the gateway understood and said \(call_\w+\):\n +0\.\d s {2}agent {3}Hello, this is Emma/m,
    );
    expect(stdout).toMatch(/^quality +MOS \d\.\d/m);
  });

  it('fails when nobody has the number', async () => {
    const { code, placed } = await call(`9999@127.0.0.1:${gateway.sipPort}`);
    expect(code).toBe(1);
    expect(placed).toMatchObject({ answered: false, status: 404, end: { reason: 'no-such-number' }, quality: null });
    expect(placed).toMatchObject({
      ...{ reason: expect.stringMatching(/^Q\.850;cause=1;/), warning: expect.stringMatching(/^399 /), record: null },
    });
    const { stdout } = await nidaa(gateway, 'call', `9999@127.0.0.1:${gateway.sipPort}`);
    expect(stdout).toMatch(/^not answered .*SIP 404.*\nReason: Q\.850;cause=1;.*\nWarning: 399 .*\n$/);
  });

  it.each([
    ['no SIP address', ['nonsense nonsense'], /is no SIP address/],
    ['a number without a host', ['1000'], /^1000 names no host: .* sip:1000@127\.0\.0\.1:5060$/],
    ['a telephone URI', ['tel:+966112345678'], /names no host: .* sip:\+966112345678@/],
    ['a file that is not there', ['sip:1@127.0.0.1', '--wav', '/nowhere.wav'], /WAV file cannot be read/],
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
    const { code, stdout, stderr } = await nidaa(gateway, 'call', ...args, '--json');
    expect([code, stdout]).toEqual([1, '']);
    expect((JSON.parse(stderr) as { error: string }).error).toMatch(sentence);
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
