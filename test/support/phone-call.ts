import { Baresip, type PhoneOptions } from './baresip.ts';
import { type CallRecord, recordOf, saidIn } from './call-record.ts';
import { hasCommand, microphone } from './caller-voice.ts';
import type { RunningGateway } from './gateway.ts';
import type { Heard } from './heard.ts';

/** What calls by a real phone need and this machine has not. */
export const missingForCalls = ['baresip', 'espeak-ng', 'flite'].filter((name) => !hasCommand(name));

/** Calls, does something, ends the phone, and gives what it heard with the record of the call. */
export async function callWith(
  gateway: RunningGateway,
  number: string,
  speech: { atS: number; samples: Int16Array }[],
  during: (phone: Baresip) => Promise<unknown>,
  options: Pick<PhoneOptions, 'codecs' | 'user' | 'encryption'> = {},
): Promise<{ heard: Heard; call: CallRecord; setupMs: number }> {
  const phone = await Baresip.start({ ...options, microphone: microphone(60, ...speech) });
  try {
    const setupMs = await phone.call(`sip:${number}@127.0.0.1:${gateway.sipPort}`);
    if (typeof setupMs === 'string')
      throw new Error(`the call was not answered: ${setupMs}\n${phone.log}\n${gateway.log()}`);
    await during(phone);
    phone.hangup();
    await phone.closed(5000);
    const heard = await phone.finish();
    return { heard: heard!, call: await recordOf(gateway, phone.sipCallId), setupMs };
  } finally {
    phone.dispose();
  }
}

/** Says something, and again each time that the agent asks for it, until the agent has said `words`. */
export function sayUntil(gateway: RunningGateway, phone: Baresip, samples: Int16Array, words: string): Promise<true> {
  phone.say(samples);
  return saidIn(gateway, phone.sipCallId, words, () => phone.say(samples));
}
