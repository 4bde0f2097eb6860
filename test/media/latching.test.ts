import { describe, expect, it } from 'vitest';
import { uint16, uint32 } from '../../src/core/uint.ts';
import {
  type FormerStream,
  Latching,
  type LatchVerdict,
  PACKETS_TO_LATCH,
  REBIND_SILENCE_MS,
} from '../../src/media/rtp/latching.ts';
import { RemoteEndpoint } from '../../src/media/rtp/remote-endpoint.ts';
import { allocateUnprovenTable, UnprovenBudget } from '../../src/media/rtp/unproven-budget.ts';

const SDP = { address: '198.51.100.7', port: 4000 };
const NAT = { address: '203.0.113.5', port: 61_000 };
const STRANGER = { address: '192.0.2.66', port: 9 };

/** A latching with a clock and one sequence per source; each packet comes 20 ms after the one before. */
class Rig {
  readonly remote = new RemoteEndpoint(new UnprovenBudget(allocateUnprovenTable(1)));
  readonly latching: Latching;
  nowMs = 0;
  readonly #sequences = new Map<string, number>();
  constructor(
    readonly first: number,
    signalling: string = SDP.address,
    remote = SDP,
    former: readonly FormerStream[] = [],
  ) {
    this.latching = new Latching(this.remote, former);
    this.latching.configure(remote, signalling);
  }
  packet(from: { address: string; port: number }, ssrc = 1, skip = 0): LatchVerdict {
    const key = `${from.address}:${from.port}:${ssrc}`;
    const sequence = uint16((this.#sequences.get(key) ?? this.first) + 1 + skip);
    this.#sequences.set(key, sequence);
    this.nowMs += 20;
    return this.latching.receive(from, { ssrc, sequence, timestamp: this.timestamp }, this.nowMs);
  }
  /** Every sender's clock runs as ours does. */
  get timestamp(): number {
    return uint32(this.nowMs * 8 + 0xffff_ff00);
  }
  packets(count: number, from: { address: string; port: number }, ssrc = 1): LatchVerdict[] {
    return Array.from({ length: count }, () => this.packet(from, ssrc));
  }
  get locked(): string {
    const { locked } = this.remote;
    return locked ? `${locked.address}:${locked.port}` : 'nobody';
  }
}
const at = ({ address, port }: { address: string; port: number }): string => `${address}:${port}`;

describe.each([0, 32_767, 65_533])('Latching, first sequence %i', (first) => {
  it('believes the SDP address at once', () => {
    const rig = new Rig(first);
    expect([rig.packet(SDP), rig.packet(SDP)]).toEqual(['latched', 'accept']);
  });

  it.each([
    { name: 'another port of the SDP host', from: { ...SDP, port: 5_000 }, needed: PACKETS_TO_LATCH['known-host'] },
    {
      name: 'the host signalling came from',
      from: NAT,
      signalling: NAT.address,
      needed: PACKETS_TO_LATCH['known-host'],
    },
    { name: 'an unknown host', from: STRANGER, needed: PACKETS_TO_LATCH.stranger },
  ])('believes $name after $needed packets in a row', ({ from, signalling, needed }) => {
    const rig = new Rig(first, signalling);
    expect(rig.packets(needed + 1, from)).toEqual([...Array(needed - 1).fill('wait'), 'latched', 'accept']);
    expect(rig.locked).toBe(at(from));
  });

  it('does not believe packets that do not follow each other', () => {
    const rig = new Rig(first);
    for (let i = 0; i < 200; i += 1) expect(rig.packet(STRANGER, 1, 9)).toBe('wait'); // one of ten ports being scanned
    for (let i = 0; i < 200; i += 1) expect(rig.packet(STRANGER, i + 10)).toBe('wait');
    expect(rig.locked).toBe('nobody');
  });

  it('tolerates loss inside a run, and two sources that try at once', () => {
    const rig = new Rig(first, NAT.address);
    const verdicts = Array.from({ length: 4 }, () => [rig.packet(NAT, 1, 2), rig.packet(STRANGER, 2)]).flat();
    expect(verdicts).toContain('latched');
    expect(rig.locked).toBe(at(NAT));
  });

  it('is not moved by a stranger, whatever he sends, while the right one speaks', () => {
    const rig = new Rig(first);
    rig.packet(SDP);
    for (let i = 0; i < 200; i += 1) {
      expect(rig.packet(STRANGER, i % 2 ? 1 : 9)).toBe('reject');
      expect(rig.packet(SDP)).toBe('accept');
    }
  });

  it('gives way to the described source when somebody else came first', () => {
    const rig = new Rig(first);
    expect(rig.packets(PACKETS_TO_LATCH.stranger, STRANGER).at(-1)).toBe('latched');
    expect(rig.packets(4, SDP, 2)).toEqual(['wait', 'wait', 'wait', 'latched']);
    expect(rig.packet(STRANGER)).toBe('reject');
  });

  it('follows a new SSRC of the locked source, after three packets', () => {
    const rig = new Rig(first);
    rig.packets(5, SDP, 1);
    expect(rig.packets(4, SDP, 2)).toEqual(['wait', 'wait', 'accept', 'accept']);
    expect(rig.packet(SDP, 1)).toBe('wait');
  });

  it('follows the locked source to another port only after it fell silent', () => {
    const rig = new Rig(first, NAT.address);
    rig.packets(5, NAT, 7);
    const moved = { ...NAT, port: 61_001 };
    expect(rig.packets(3, moved, 7)).toEqual(['reject', 'reject', 'reject']);
    rig.nowMs += REBIND_SILENCE_MS;
    expect(rig.latching.isSilent(rig.nowMs)).toBe(true);
    expect(rig.packets(4, moved, 7).at(-1)).toBe('latched');
    expect(rig.locked).toBe(at(moved));
  });

  it('lets another stream of the known host in only after the locked one fell silent', () => {
    const rig = new Rig(first, NAT.address);
    rig.packets(5, NAT, 7);
    const second = { ...NAT, port: 61_001 };
    expect(new Set(rig.packets(20, second, 8))).toEqual(new Set(['reject']));
    rig.nowMs += REBIND_SILENCE_MS;
    expect(rig.packets(8, second, 8)).toEqual([...Array(7).fill('wait'), 'latched']);
  });

  it('lets a stranger with another SSRC in neither then nor ever', () => {
    const rig = new Rig(first);
    rig.packets(5, SDP, 7);
    rig.nowMs += 60_000;
    expect(new Set(rig.packets(100, STRANGER, 8))).toEqual(new Set(['reject']));
  });

  it('starts over when a re-INVITE moves the peer, and does not when it merely holds', () => {
    const rig = new Rig(first);
    rig.packets(5, SDP);
    expect(rig.latching.configure(SDP, SDP.address)).toBe(false);
    expect(rig.latching.configure({ address: '0.0.0.0', port: 4000 }, SDP.address)).toBe(false);
    expect(rig.locked).toBe(at(SDP));
    const moved = { address: SDP.address, port: 4_002 };
    expect(rig.latching.configure(moved, SDP.address)).toBe(true);
    expect(rig.locked).toBe('nobody');
    expect(rig.remote.nextTarget(0)).toEqual({ ...moved, proven: true });
    expect(rig.packet(moved, 9)).toBe('latched');
  });
});

describe('the streams of earlier calls on the same port', () => {
  const OLD = { address: NAT.address, port: 61_000 };
  /** The port's last call: a caller who does not notice that it is over. */
  const lastCall = (): Rig => {
    const rig = new Rig(0, OLD.address);
    rig.packets(20, OLD, 77);
    return rig;
  };
  /** The next call, from the same host (a trunk's media server), some seconds later. */
  const nextCall = (last: Rig, former = last.latching.streams()): Rig => {
    const rig = new Rig(0, OLD.address, SDP, former);
    rig.nowMs = last.nowMs + 4_000;
    return rig;
  };

  it('are told when a call ends', () => {
    const last = lastCall();
    const atMs = last.nowMs;
    expect(last.latching.streams()).toEqual([{ ...OLD, ssrc: 77, timestamp: uint32(atMs * 8 + 0xffff_ff00), atMs }]);
    last.packets(5, OLD, 78); // the same sender with another SSRC
    last.latching.configure({ ...SDP, port: 5_000 }, OLD.address);
    last.packets(5, { ...SDP, port: 5_000 }, 79); // a re-INVITE
    expect(last.latching.streams().map(({ ssrc }) => ssrc)).toEqual([77, 78, 79]);
  });

  it('are never heard, however long they go on, and disturb nobody', () => {
    const rig = nextCall(lastCall());
    expect(new Set(rig.packets(500, OLD, 77))).toEqual(new Set(['reject']));
    expect(rig.packet(SDP)).toBe('latched');
    rig.nowMs += REBIND_SILENCE_MS;
    expect(new Set(rig.packets(50, OLD, 77))).toEqual(new Set(['reject']));
    expect(rig.locked).toBe(at(SDP));
  });

  it('are kept from the call after the next one, too, while they go on', () => {
    const between = nextCall(lastCall());
    between.packets(3, OLD, 77);
    between.packets(3, SDP, 5);
    expect(between.latching.streams().map(({ ssrc }) => ssrc)).toEqual([77, 5]);
    const last = lastCall();
    const silent = nextCall(last);
    silent.packets(3, SDP, 5);
    expect(silent.latching.streams().map(({ ssrc }) => ssrc)).toEqual([5]);
  });

  it.each([
    { name: 'another stream of that host', ssrc: 78, laterMs: 0 },
    { name: 'a device that uses one SSRC for all its calls', ssrc: 77, laterMs: 60_000 },
  ])('are not mistaken: $name is heard', ({ ssrc, laterMs }) => {
    const former = lastCall()
      .latching.streams()
      .map((stream) => ({ ...stream, atMs: stream.atMs - laterMs }));
    const rig = nextCall(lastCall(), former);
    expect(rig.packets(4, OLD, ssrc).at(-1)).toBe('latched');
  });

  it('are heard where SDP names their source: it is the peer of this call then', () => {
    const rig = new Rig(0, OLD.address, OLD, lastCall().latching.streams());
    rig.nowMs = 4_400;
    expect(rig.packet(OLD, 77)).toBe('latched');
  });
});

describe('handing the filter to the kernel', () => {
  it('is allowed at once for the described source, for others when they have settled', () => {
    const described = new Rig(0);
    described.packet(SDP);
    expect(described.latching.mayConnect(described.nowMs)).toBe(true);
    const behindNat = new Rig(0, NAT.address);
    behindNat.packets(4, NAT);
    expect(behindNat.latching.mayConnect(behindNat.nowMs)).toBe(false);
    behindNat.packets(300, NAT);
    expect(behindNat.latching.mayConnect(behindNat.nowMs)).toBe(true);
    expect(behindNat.latching.mayConnect(behindNat.nowMs + REBIND_SILENCE_MS)).toBe(false);
  });
});
