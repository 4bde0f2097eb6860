import { mark } from './marks.ts';
import { until } from './until.ts';
import { VoicePhone } from './voice-phone.ts';

const HEARD_PACKETS = 50;
const TONE_HZ = 440;

/** After an attack: a phone calls, hears the agent, and hangs up, as if nothing had been. */
export async function worksAfter(row: string, { sipPort }: { readonly sipPort: number }): Promise<void> {
  const phone = await VoicePhone.open(sipPort);
  try {
    await phone.call(`sip:1000@127.0.0.1:${sipPort}`, TONE_HZ);
    await until(() => phone.audio.heard.length > HEARD_PACKETS, 'a second of the agent');
    await phone.hangUp();
    mark(row, 'after', 1);
  } catch (error) {
    mark(row, 'after', 0, String(error));
  } finally {
    phone.close();
  }
}
