import { errorText } from '../../core/errors.ts';
import type { SrtpImplementation } from './contract.ts';
import { NODE_CIPHERS } from './node-ciphers.ts';
import { loadOpenssl, type OpensslCalls } from './openssl-calls.ts';
import { opensslCiphers } from './openssl-ciphers.ts';
import { SrtpKey } from './srtp-key.ts';
import { srtpBy } from './srtp-streams.ts';
import { SRTP_SUITE_NAMES, SRTP_TRAILER_BYTES_MAX, type SrtpSuite } from './srtp-suite.ts';

const NODE_SRTP = srtpBy('node:crypto', NODE_CIPHERS);

export interface ChosenSrtp {
  readonly name: SrtpImplementation['name'];
  /** Of OpenSSL; absent with `node:crypto`. */
  readonly version?: string;
  /** Why OpenSSL is not called directly. */
  readonly reason?: string;
}

/**
 * What the media threads are to protect media with: the OpenSSL of Node, called directly, where it does with every suite what
 * `node:crypto` does; else `node:crypto`, which takes seven times as long.
 */
export function chooseSrtp(load: () => OpensslCalls = loadOpenssl): ChosenSrtp {
  try {
    const calls = load();
    const openssl = srtpBy('openssl', opensslCiphers(calls));
    for (const suite of SRTP_SUITE_NAMES) {
      const fault = differenceIn(suite, openssl, NODE_SRTP) ?? differenceIn(suite, NODE_SRTP, openssl);
      if (fault !== undefined) return { name: 'node:crypto', reason: `OpenSSL, ${suite}: ${fault}` };
    }
    return { name: 'openssl', version: VERSION.exec(calls.OpenSSL_version(0))?.[0] ?? 'unknown' };
  } catch (error) {
    return { name: 'node:crypto', reason: errorText(error) };
  }
}

const VERSION = /\d[\w.+-]*/;

/** The implementation of that name, for one thread. @throws Error where OpenSSL is chosen and cannot be called. */
export function openSrtp({ name }: Pick<ChosenSrtp, 'name'>): SrtpImplementation {
  return name === 'openssl' ? srtpBy('openssl', opensslCiphers(loadOpenssl())) : NODE_SRTP;
}

const RTP = Buffer.from('8000fffe00000000cafebabe6e69646161', 'hex');
const RTCP = Buffer.from('80c90001cafebabe', 'hex');

/** Has one side protect a packet of each kind and the other one open it, and no other. @returns what does not fit. */
function differenceIn(suite: SrtpSuite, from: SrtpImplementation, to: SrtpImplementation): string | undefined {
  const { material } = SrtpKey.random(suite);
  const sender = from.sender(material);
  const receiver = to.receiver([material]);
  try {
    const rtp = Buffer.concat([RTP, Buffer.alloc(SRTP_TRAILER_BYTES_MAX)]);
    const sent = rtp.subarray(0, sender.protectRtp(rtp, RTP.length));
    const forged = Buffer.from(sent);
    forged[RTP.length] = (forged[RTP.length] as number) ^ 1;
    if (receiver.unprotectRtp(forged) !== 'forged') return 'a forged packet is believed';
    const opened = receiver.unprotectRtp(sent);
    if (opened !== RTP.length || !rtp.subarray(0, RTP.length).equals(RTP)) return `RTP is not the same: ${opened}`;
    const rtcp = Buffer.concat([RTCP, Buffer.alloc(SRTP_TRAILER_BYTES_MAX)]);
    const read = receiver.unprotectRtcp(rtcp.subarray(0, sender.protectRtcp(rtcp, RTCP.length)));
    return read === RTCP.length && rtcp.subarray(0, RTCP.length).equals(RTCP)
      ? undefined
      : `RTCP is not the same: ${read}`;
  } finally {
    sender.close();
    receiver.close();
  }
}
