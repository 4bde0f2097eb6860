import type { TracedMessage } from '../core/sip-ladder.ts';

/**
 * The SIP message in a frame that a SIP server elsewhere sends us, as drachtio-srf gives it: what came over the network, or its word
 * on what it sent for us. What it sends by itself (100, repetitions, the ACK of a refusal) it does not tell.
 *
 * @returns undefined for any other frame. Never throws.
 */
export function tracedFrame(frame: string): TracedMessage | undefined {
  const end = frame.indexOf('\r\n');
  if (end < 0) return undefined;
  const [, type, ...words] = frame.slice(0, end).split('|');
  const came = type === 'sip' && words[0] === 'network';
  const sent = type === 'response' && words[1] === 'OK' && words[2] === 'application';
  if (!came && !sent) return undefined;
  const [transport = '', address = '', port = ''] = words.slice(came ? 2 : 4);
  const peer =
    transport === '' || address === ''
      ? ''
      : `${transport}/${address.includes(':') ? `[${address}]` : address}:${port}`;
  return { direction: came ? 'in' : 'out', peer, bytes: Buffer.from(frame.slice(end + 2)) };
}
