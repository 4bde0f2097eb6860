import type { Trunk, TrunkDefinition } from '../../src/core/trunk.ts';

/** A trunk that takes calls from one address, and may call Saudi numbers. */
export function trunkDefinition(changed: Partial<TrunkDefinition> = {}): TrunkDefinition {
  return {
    name: 'carrier',
    hosts: [{ uri: 'sip:192.0.2.10:5060', priority: 10, weight: 1 }],
    transport: 'udp',
    inbound: { sources: ['192.0.2.10'], auth: 'none' },
    outbound: {},
    pingSeconds: 30,
    encryption: 'none',
    keysInClear: false,
    dtmf: 'auto',
    numbersIn: [],
    numbersOut: [],
    callerId: 'from',
    headersIn: [],
    headersOut: {},
    limits: { callsIn: 100, callsOut: 100, callsPerSecondIn: 100, callsPerSecondOut: 100 },
    allowedPrefixes: ['+966'],
    ...changed,
  };
}

export const trunkOf = (changed: Partial<TrunkDefinition> = {}, accountId?: string): Trunk => ({
  id: `trk_${changed.name ?? 'carrier'}`,
  accountId,
  definition: trunkDefinition(changed),
});
