import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { latestCall, texts } from '../support/call-record.ts';
import { type Gateway, ROOT, startGateway } from '../support/gateway.ts';
import { freeSipPort } from '../support/ports.ts';
import { headerOf } from '../support/udp-caller.ts';
import { until } from '../support/until.ts';
import { VoicePhone } from '../support/voice-phone.ts';

const [CALLER_HZ, PERSON_HZ] = [440, 1000];
const DTMF_PAYLOAD = 101;

describe('a caller whose peer takes no REFER, and who asks for a person', () => {
  let gateway: Gateway;
  let config: string;
  let caller: VoicePhone;
  let person: VoicePhone;

  beforeEach(async () => {
    const sipPort = await freeSipPort();
    caller = await VoicePhone.open(sipPort);
    person = await VoicePhone.open(sipPort);
    config = configWith(person.uri);
    const env = { NIDAA_CONFIG: join(config, 'nidaa.yaml'), NIDAA_SIP_PORT: String(sipPort) };
    gateway = await startGateway({ env });
  });
  afterEach(async () => {
    for (const phone of [caller, person]) {
      phone.sip.answerByes();
    }
    await gateway.dispose();
    for (const phone of [caller, person]) phone.close();
    rmSync(config, { recursive: true, force: true });
  });

  /** Calls, and presses the key for a person. */
  async function ask(headers: readonly string[] = []): Promise<void> {
    await caller.call(gateway.sip, CALLER_HZ, headers);
    caller.audio.quiet();
    await sleep(1500);
    await caller.press('0');
  }
  async function refuseRefer(): Promise<void> {
    const refer = await caller.asked('REFER');
    expect(headerOf(refer, 'Refer-To')).toBe(`<${person.uri}>`);
    caller.sip.reply(refer, 405, 'Method Not Allowed', ['Allow: INVITE, ACK, CANCEL, BYE, INFO']);
  }
  async function talking(): Promise<void> {
    await person.answer(PERSON_HZ);
    caller.audio.speak(caller.audioPort, CALLER_HZ);
    await person.hears(CALLER_HZ);
    await caller.hears(PERSON_HZ);
    expect([person.loudness(PERSON_HZ), caller.loudness(CALLER_HZ)].every((echo) => echo < 0.02)).toBe(true);
  }
  const hasKeys = ({ audio }: VoicePhone): boolean =>
    audio.heard.some(({ payloadType }) => payloadType === DTMF_PAYLOAD);

  it('is put through by a second leg: both hear each other, keys go over, and the caller ends it', async () => {
    await ask();
    await refuseRefer();
    const invite = await person.ringing();
    expect(headerOf(invite, 'From')).toContain('sip:alice@');
    await talking();
    await caller.press('5');
    await until(() => hasKeys(person), 'the key of the caller');
    expect(hasKeys(caller)).toBe(false);
    await caller.hangUp();
    expect(headerOf(await person.hungUp(), 'Reason')).toContain('The caller hung up');
    const call = await latestCall(gateway);
    expect(call.end).toEqual({ party: 'caller', reason: 'transferred', detail: 'the caller hung up' });
    expect(texts(call, 'agent').at(-1)).toMatch(/^One moment/);
    expect(call.dtmf).toBe('0');
  });

  it('is put through without a REFER where the peer says that it takes none, and the person ends it', async () => {
    await ask(['Allow: INVITE, ACK, CANCEL, BYE, INFO, OPTIONS']);
    await person.ringing();
    await talking();
    await person.hangUp();
    expect(headerOf(await caller.hungUp(), 'Reason')).toContain('The other party hung up');
    expect(caller.sip.inbox.filter(({ method }) => method === 'REFER')).toEqual([]);
    const call = await latestCall(gateway);
    expect(call.end).toEqual({ party: 'callee', reason: 'transferred', detail: 'the callee hung up' });
  });

  it('stays with the agent when the person is busy', async () => {
    await ask();
    await refuseRefer();
    await person.ringing();
    person.refuse(486, 'Busy Here');
    await sleep(9000); // what the agent says of it
    await caller.hangUp();
    const call = await latestCall(gateway);
    expect(texts(call, 'agent').at(-1)).toContain('nobody could take the call');
    expect(call.end).toMatchObject({ party: 'caller', reason: 'caller-hangup' });
  });

  it('hangs up while it rings: the person’s phone stops', async () => {
    await ask();
    await refuseRefer();
    await person.ringing();
    await caller.hangUp();
    person.sip.reply(await person.asked('CANCEL'), 200, 'OK');
    person.refuse(487, 'Request Terminated');
    const call = await latestCall(gateway);
    expect(call.end).toMatchObject({ party: 'caller', reason: 'caller-hangup' });
  });
});

/** The shipped configuration, with the person of the delivery company at `target`. */
function configWith(target: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'nidaa-config-'));
  mkdirSync(join(folder, 'agents'));
  cpSync(join(ROOT, 'config/nidaa.yaml'), join(folder, 'nidaa.yaml'));
  const agent = readFileSync(join(ROOT, 'config/agents/delivery-en.yaml'), 'utf8');
  writeFileSync(
    join(folder, 'agents/delivery-en.yaml'),
    agent.replace(/^transferTarget: .*$/m, `transferTarget: "${target}"`),
  );
  return folder;
}
