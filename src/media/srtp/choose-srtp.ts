import { readFileSync } from 'node:fs';
import { errorText } from '../../core/errors.ts';
import type { SrtpImplementation } from './contract.ts';
import { libsrtp } from './libsrtp.ts';
import { type LibsrtpCalls, loadLibsrtp } from './libsrtp-calls.ts';
import { NODE_SRTP } from './node-srtp.ts';
import { SrtpKey } from './srtp-key.ts';
import { SRTP_SUITE_NAMES, SRTP_TRAILER_BYTES_MAX, type SrtpSuite } from './srtp-suite.ts';

export interface ChosenSrtp {
  readonly name: SrtpImplementation['name'];
  /** Of the library; absent with `node:crypto`. */
  readonly version?: string;
  /** Why it is not the library. */
  readonly reason?: string;
}

/**
 * What the media threads are to protect media with: libsrtp2 where it is installed, is no slower, and does with every suite what we
 * do; else `node:crypto`. Initialises the library, once for the process.
 */
export function chooseSrtp(load: () => LibsrtpCalls = loadLibsrtp, isSlow: () => boolean = isBuiltWithNss): ChosenSrtp {
  try {
    const calls = load();
    if (isSlow()) return { name: 'node:crypto', reason: WITH_NSS };
    const status = calls.srtp_init();
    if (status !== 0) return { name: 'node:crypto', reason: `libsrtp2 does not start: status ${status}` };
    const library = libsrtp(calls);
    for (const suite of SRTP_SUITE_NAMES) {
      const fault = differenceIn(suite, library) ?? differenceIn(suite, NODE_SRTP, library);
      if (fault !== undefined) return { name: 'node:crypto', reason: `libsrtp2 ${suite}: ${fault}` };
    }
    return { name: 'libsrtp2', version: calls.srtp_get_version_string().replace(/^libsrtp2? /, '') };
  } catch (error) {
    return { name: 'node:crypto', reason: errorText(error) };
  }
}

/** Of Debian: 8 us for a packet in and one out with one call, 90 with 400, where ours take 25 with any number. */
const WITH_NSS =
  'the libsrtp2 of this system is built with NSS, and takes the longer for a packet the more calls there are';

/** Whether the library that was loaded has its ciphers from NSS, whose objects are looked for one by one. */
function isBuiltWithNss(): boolean {
  try {
    return /\/libnss3\.so/.test(readFileSync('/proc/self/maps', 'latin1'));
  } catch {
    return false;
  }
}

/** The implementation of that name, for one thread. @throws Error where the library is chosen and not there. */
export function openSrtp({ name }: Pick<ChosenSrtp, 'name'>): SrtpImplementation {
  return name === 'libsrtp2' ? libsrtp(loadLibsrtp()) : NODE_SRTP;
}

const RTP = Buffer.from('8000fffe00000000cafebabe6e69646161', 'hex');
const RTCP = Buffer.from('80c90001cafebabe', 'hex');

/** Has one side protect a packet of each kind and the other one open it. @returns what does not fit. */
function differenceIn(
  suite: SrtpSuite,
  from: SrtpImplementation,
  to: SrtpImplementation = NODE_SRTP,
): string | undefined {
  const { material } = SrtpKey.random(suite);
  const sender = from.sender(material);
  const receiver = to.receiver([material]);
  try {
    const rtp = Buffer.concat([RTP, Buffer.alloc(SRTP_TRAILER_BYTES_MAX)]);
    const opened = receiver.unprotectRtp(rtp.subarray(0, sender.protectRtp(rtp, RTP.length)));
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
