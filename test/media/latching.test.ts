import { describe, expect, it } from 'vitest';
import { uint16 } from '../../src/core/uint.ts';
import {
  canonicalAddress,
  isSendable,
  Latching,
  type LatchVerdict,
  PACKETS_TO_LATCH,
  REBIND_SILENCE_MS,
  UNPROVEN_PACKETS_MAX,
} from '../../src/media/latching.ts';

const SDP = { address: '198.51.100.7', port: 4000 };
const NAT = { address: '203.0.113.5', port: 61_000 };
const STRANGER = { address: '192.0.2.66', port: 9 };

/** A latching with a clock and one sequence per source; each packet comes 20 ms after the one before. */
class Rig {
  readonly latching = new Latching();
  nowMs = 0;
  readonly #sequences = new Map<string, number>();
  constructor(
    readonly first: number,
    signalling: string = SDP.address,
    remote = SDP,
  ) {
    this.latching.configure(remote, signalling);
  }
  packet(from: { address: string; port: number }, ssrc = 1, skip = 0): LatchVerdict {
    const key = `${from.address}:${from.port}:${ssrc}`;
    const sequence = uint16((this.#sequences.get(key) ?? this.first) + 1 + skip);
    this.#sequences.set(key, sequence);
    this.nowMs += 20;
    return this.latching.receive(from.address, from.port, ssrc, sequence, this.nowMs);
  }
  packets(count: number, from: { address: string; port: number }, ssrc = 1): LatchVerdict[] {
    return Array.from({ length: count }, () => this.packet(from, ssrc));
  }
  get locked(): string {
    const { locked } = this.latching;
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
    expect(rig.latching.target()).toEqual({ ...moved, proven: true });
    expect(rig.packet(moved, 9)).toBe('latched');
  });
});

describe('where we send', () => {
  it('is nowhere before SDP', () => {
    const latching = new Latching();
    expect(latching.target()).toBeUndefined();
    expect(latching.receive(SDP.address, SDP.port, 1, 1, 0)).toBe('reject');
  });

  it('is the SDP address freely when signalling came from there', () => {
    const rig = new Rig(0);
    for (let i = 0; i < 500; i += 1) expect(rig.latching.target()).toEqual({ ...SDP, proven: true });
  });

  it('is an SDP address elsewhere for fifty packets only, until it proves itself', () => {
    const rig = new Rig(0, NAT.address);
    for (let i = 0; i < UNPROVEN_PACKETS_MAX; i += 1) {
      expect(rig.latching.target()).toEqual({ ...SDP, proven: false });
      rig.latching.sentUnproven();
    }
    expect(rig.latching.target()).toBeUndefined();
    rig.packet(SDP);
    expect(rig.latching.target()).toEqual({ ...SDP, proven: true });
  });

  it('is whoever proved himself, not what SDP says', () => {
    const rig = new Rig(0, NAT.address);
    rig.packets(4, NAT);
    expect(rig.latching.target()).toEqual({ ...NAT, proven: true });
  });

  it('is a host that has proved itself before, after a re-INVITE', () => {
    const rig = new Rig(0, NAT.address);
    rig.packet(SDP);
    rig.latching.configure({ address: SDP.address, port: 4_444 }, NAT.address);
    expect(rig.latching.target()).toEqual({ address: SDP.address, port: 4_444, proven: true });
  });

  it.each([
    ['192.0.2.1', 4000, true],
    ['10.0.0.1', 4000, true],
    ['2001:db8::1', 4000, true],
    ['192.0.2.1', 0, false],
    ['192.0.2.1', 65_536, false],
    ['0.0.0.0', 4000, false],
    ['255.255.255.255', 4000, false],
    ['224.0.0.1', 4000, false],
    ['240.1.2.3', 4000, false],
    ['127.0.0.1', 4000, false],
    ['169.254.169.254', 80, false],
    ['::', 4000, false],
    ['::1', 4000, false],
    ['ff02::1', 4000, false],
    ['fe80::1', 4000, false],
    ['phone.example.com', 4000, false],
    ['1.2.3', 4000, false],
  ])('%s port %i may be sent to: %s', (address, port, sendable) => {
    expect(isSendable({ address, port }, '198.51.100.7')).toBe(sendable);
  });

  it('is loopback only for callers on loopback', () => {
    expect(isSendable({ address: '127.0.0.1', port: 4000 }, '127.0.0.1')).toBe(true);
    expect(isSendable({ address: '127.0.0.2', port: 4000 }, '127.0.0.1')).toBe(true);
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

describe('canonicalAddress', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:0DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['phone.example.com', 'phone.example.com'],
    ['', ''],
  ])('%s is %s', (address, canonical) => {
    expect(canonicalAddress(address)).toBe(canonical);
  });
});
