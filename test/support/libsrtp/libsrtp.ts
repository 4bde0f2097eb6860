import { errorText } from '../../../src/core/errors.ts';
import {
  SRTP_STREAMS_MAX,
  type SrtpImplementation,
  type SrtpReceiver,
  type SrtpReject,
  type SrtpSender,
} from '../../../src/media/srtp/contract.ts';
import type { SrtpKeyMaterial } from '../../../src/media/srtp/srtp-key.ts';
import {
  isWholeRtcp,
  isWholeRtp,
  RTCP_CLEAR_BYTES,
  rtcpSsrc,
  rtpHeaderBytes,
  rtpSsrc,
} from '../../../src/media/srtp/srtp-packet.ts';
import type { SrtpSuite } from '../../../src/media/srtp/srtp-suite.ts';
import { type LibsrtpCalls, loadLibsrtp } from './libsrtp-calls.ts';
import { createSession } from './libsrtp-policy.ts';

/** `srtp_err_status_t`. Whatever else is refused is refused as no packet of ours. */
const REJECTS: Readonly<Record<number, SrtpReject>> = {
  7: 'forged', // auth_fail
  9: 'replayed', // replay_fail
  10: 'replayed', // replay_old
  25: 'unknown-key', // bad_mki
};

/**
 * SRTP by libsrtp 2, which others wrote: ours is held against it where it is installed. Of a suite whose tags of SRTP and SRTCP differ it
 * looks for the MKI of SRTCP in the wrong place (seen with 2.5).
 *
 * @returns why it cannot be had here, where it cannot.
 */
export function openLibsrtp(): Omit<SrtpImplementation, 'name'> | string {
  try {
    const calls = loadLibsrtp();
    const status = calls.srtp_init();
    if (status !== 0) return `libsrtp2 does not start: status ${status}`;
    return { sender: (key) => new LibrarySender(calls, key), receiver: (keys) => new LibraryReceiver(calls, keys) };
  } catch (error) {
    return errorText(error);
  }
}

/** A session of the library, freed once. */
class Session {
  readonly address: number;
  readonly bytes = new Int32Array(new ArrayBuffer(4));
  closed = false;

  constructor(
    readonly calls: LibsrtpCalls,
    direction: 'send' | 'receive',
    keys: readonly SrtpKeyMaterial[],
  ) {
    const made = createSession(calls, direction, keys);
    if ('status' in made) throw new Error(`libsrtp2 refuses a session: status ${made.status}`);
    this.address = made.session;
  }

  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.calls.srtp_dealloc(this.address);
  }
}

class LibrarySender implements SrtpSender {
  readonly #session: Session;
  constructor(
    readonly calls: LibsrtpCalls,
    key: SrtpKeyMaterial,
  ) {
    this.#session = new Session(calls, 'send', [{ suite: key.suite, bytes: key.bytes }]);
  }

  protectRtp(datagram: Buffer, bytes: number): number {
    const session = this.#session;
    if (session.closed || rtpHeaderBytes(datagram, bytes) === undefined) return 0;
    session.bytes[0] = bytes;
    return this.calls.srtp_protect(session.address, datagram, session.bytes) === 0 ? (session.bytes[0] as number) : 0;
  }

  protectRtcp(datagram: Buffer, bytes: number): number {
    const session = this.#session;
    if (session.closed || bytes < RTCP_CLEAR_BYTES) return 0;
    session.bytes[0] = bytes;
    const status = this.calls.srtp_protect_rtcp(session.address, datagram, session.bytes);
    return status === 0 ? (session.bytes[0] as number) : 0;
  }

  close(): void {
    this.#session.close();
  }
}

class LibraryReceiver implements SrtpReceiver {
  readonly #suite: SrtpSuite;
  readonly #mkiBytes: number;
  readonly #session: Session;
  readonly #streams = new Set<number>(); // the library keeps as many as there are
  #latest = -1;

  constructor(
    readonly calls: LibsrtpCalls,
    keys: readonly SrtpKeyMaterial[],
  ) {
    const [first] = keys;
    if (!first) throw new RangeError('a receiver has one key at least');
    this.#suite = first.suite;
    this.#mkiBytes = first.mki?.length ?? 0;
    this.#session = new Session(calls, 'receive', keys);
  }

  unprotectRtp(datagram: Buffer): number | SrtpReject {
    const { calls } = this;
    const session = this.#session;
    if (session.closed || !isWholeRtp(this.#suite, datagram, this.#mkiBytes)) return 'malformed';
    const ssrc = rtpSsrc(datagram);
    if (!this.#mayHear(ssrc)) return 'too-many-streams';
    session.bytes[0] = datagram.length;
    const status =
      this.#mkiBytes > 0
        ? calls.srtp_unprotect_mki(session.address, datagram, session.bytes, 1)
        : calls.srtp_unprotect(session.address, datagram, session.bytes);
    return this.#result(status, ssrc);
  }

  unprotectRtcp(datagram: Buffer): number | SrtpReject {
    const { calls } = this;
    const session = this.#session;
    if (session.closed || !isWholeRtcp(this.#suite, datagram, this.#mkiBytes)) return 'malformed';
    const ssrc = rtcpSsrc(datagram);
    if (!this.#mayHear(ssrc)) return 'too-many-streams';
    session.bytes[0] = datagram.length;
    const status =
      this.#mkiBytes > 0
        ? calls.srtp_unprotect_rtcp_mki(session.address, datagram, session.bytes, 1)
        : calls.srtp_unprotect_rtcp(session.address, datagram, session.bytes);
    return this.#result(status, ssrc);
  }

  close(): void {
    this.#session.close();
  }

  #mayHear(ssrc: number): boolean {
    return ssrc === this.#latest || this.#streams.has(ssrc) || this.#streams.size < SRTP_STREAMS_MAX;
  }

  #result(status: number, ssrc: number): number | SrtpReject {
    if (status !== 0) return REJECTS[status] ?? 'malformed';
    if (ssrc !== this.#latest) {
      this.#streams.add(ssrc);
      this.#latest = ssrc;
    }
    return this.#session.bytes[0] as number;
  }
}
