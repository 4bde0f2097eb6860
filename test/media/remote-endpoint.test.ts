import { describe, expect, it } from 'vitest';
import {
  canonicalAddress,
  isSendable,
  RemoteEndpoint,
  UNPROVEN_PACKETS_MAX,
} from '../../src/media/rtp/remote-endpoint.ts';
import {
  ADDRESS_PACKETS_MAX,
  ADDRESS_WINDOW_MS,
  allocateUnprovenTable,
  UnprovenBudget,
} from '../../src/media/rtp/unproven-budget.ts';

const SDP = { address: '198.51.100.7', port: 4000 };
const NAT = { address: '203.0.113.5', port: 61_000 };
const VICTIM = { address: '192.0.2.66', port: 9 };

const table = (): UnprovenBudget => new UnprovenBudget(allocateUnprovenTable(0x1234_5678));
function endpoint(budget = table()): RemoteEndpoint {
  return new RemoteEndpoint(budget);
}
function described(remote = SDP, signalling = remote.address, budget = table()): RemoteEndpoint {
  const made = endpoint(budget);
  made.describe(remote, signalling);
  return made;
}
/** Packets that leave when one is due every 20 ms. */
function sentWithin(remote: RemoteEndpoint, slots: number, fromMs = 0): number {
  return Array.from({ length: slots }, (_, slot) => remote.nextTarget(fromMs + slot * 20)).filter(Boolean).length;
}

describe('where we send', () => {
  it('is nowhere before SDP', () => {
    expect(endpoint().nextTarget(0)).toBeUndefined();
  });

  it('is the SDP address freely when signalling came from there', () => {
    const remote = described();
    for (let i = 0; i < 500; i += 1) expect(remote.nextTarget(i)).toEqual({ ...SDP, proven: true });
  });

  it('is an SDP address elsewhere for fifty packets only, until it proves itself', () => {
    const remote = described(SDP, NAT.address);
    for (let i = 0; i < UNPROVEN_PACKETS_MAX; i += 1) expect(remote.nextTarget(i)).toEqual({ ...SDP, proven: false });
    expect(remote.nextTarget(60)).toBeUndefined();
    remote.lock(SDP);
    expect(remote.nextTarget(60)).toEqual({ ...SDP, proven: true });
  });

  it('is whoever proved himself, not what SDP says', () => {
    const remote = described(SDP, NAT.address);
    remote.lock(NAT);
    expect(remote.nextTarget(0)).toEqual({ ...NAT, proven: true });
  });

  it('is a host that has proved itself before, after a re-INVITE', () => {
    const remote = described(SDP, NAT.address);
    remote.lock(SDP);
    remote.describe({ address: SDP.address, port: 4_444 }, NAT.address);
    expect(remote.nextTarget(0)).toEqual({ address: SDP.address, port: 4_444, proven: true });
  });
});

describe('packets to those who have shown nothing', () => {
  it('are fifty a call, whatever re-INVITEs name', () => {
    const remote = described(VICTIM, NAT.address);
    let sent = 0;
    for (let second = 0; second < 18; second += 1) {
      remote.describe({ address: VICTIM.address, port: 1_000 + second }, NAT.address);
      sent += sentWithin(remote, 50, second * 1_000);
    }
    expect(sent).toBe(UNPROVEN_PACKETS_MAX);
  });

  it('are not earned again by a source that proves itself in between', () => {
    const remote = described(VICTIM, NAT.address);
    let sent = 0;
    for (let second = 0; second < 18; second += 1) {
      remote.describe({ address: `192.0.2.${second + 1}`, port: 1_000 }, NAT.address);
      sent += sentWithin(remote, 50, second * 1_000);
      remote.describe({ ...NAT, port: 61_000 + second }, NAT.address);
      remote.lock({ ...NAT, port: 61_000 + second });
    }
    expect(sent).toBe(UNPROVEN_PACKETS_MAX);
  });

  it('are bounded for one address over all calls and threads', () => {
    const shared = allocateUnprovenTable(7);
    let sent = 0;
    for (let call = 0; call < 100; call += 1) {
      sent += sentWithin(described(VICTIM, NAT.address, new UnprovenBudget(shared)), 50);
    }
    expect(sent).toBe(ADDRESS_PACKETS_MAX);
    expect(sentWithin(described(SDP, NAT.address, new UnprovenBudget(shared)), 50)).toBe(UNPROVEN_PACKETS_MAX);
    const later = described(VICTIM, NAT.address, new UnprovenBudget(shared));
    expect(sentWithin(later, 50, ADDRESS_WINDOW_MS)).toBe(UNPROVEN_PACKETS_MAX);
  });

  it('do not run out for a media server that answers its calls', () => {
    const budget = table();
    for (let call = 0; call < 500; call += 1) {
      const remote = described(SDP, NAT.address, budget);
      expect(sentWithin(remote, 10)).toBe(10);
      remote.lock(SDP);
    }
  });

  it('count a network of IPv6 as one address', () => {
    const budget = table();
    let sent = 0;
    for (let call = 0; call < 50; call += 1) {
      sent += sentWithin(described({ address: `2001:db8:1:2::${call + 1}`, port: 9 }, NAT.address, budget), 50);
    }
    expect(sent).toBe(ADDRESS_PACKETS_MAX);
  });
});

describe('addresses', () => {
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
