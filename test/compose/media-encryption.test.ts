import { describe, expect, it } from 'vitest';
import { dialTerms, encryptionNotes, termsOf } from '../../src/compose/media-encryption.ts';
import type { Trunk } from '../../src/core/trunk.ts';

const trunk = (name: string, keysInClear: boolean): Trunk =>
  ({ id: `trk_${name}`, accountId: undefined, definition: { name, encryption: 'require', keysInClear } }) as never;
const carrier = trunk('carrier', true);
const sip = { mediaEncryption: 'allow', keysInClear: false } as const;
const library = { name: 'openssl', version: '3.0.19' } as const;

describe('what holds for a call', () => {
  it.each([
    { name: 'of a trunk', source: { kind: 'trunk', id: 'trk_carrier', name: 'carrier' }, encryption: 'require' },
    { name: 'of a trunk that is gone', source: { kind: 'trunk', id: 'trk_x', name: 'x' }, encryption: 'allow' },
    { name: 'of a phone', source: { kind: 'phone', id: 'p', name: 'p', accountId: 'a' }, encryption: 'allow' },
    { name: 'of a stranger', source: undefined, encryption: 'allow' },
  ] as const)('$name: $encryption', ({ source, encryption }) => {
    const found = termsOf({ ...(source && { source: source as never }) }, sip, (id) =>
      id === carrier.id ? carrier : undefined,
    );
    expect(found).toMatchObject({ encryption, keysInClear: encryption === 'require' });
  });

  it('calls out by no trunk are encrypted where that is required, and those by a trunk as it says', () => {
    const options = { uri: 'sip:a@b', from: 'x', media: {} as never };
    expect(dialTerms(options, sip)).toMatchObject({ encryption: 'none', keysInClear: false });
    expect(dialTerms(options, { ...sip, mediaEncryption: 'require' })).toMatchObject({ encryption: 'require' });
    expect(dialTerms({ ...options, encryption: 'allow', keysInClear: true }, sip)).toMatchObject({
      ...{ encryption: 'allow', keysInClear: true },
    });
  });
});

describe('the start report', () => {
  it('says what encrypts', () => {
    expect(encryptionNotes(sip, [], library)).toEqual([
      'Encrypted media (SRTP): taken where it is offered, by openssl 3.0.19.',
    ]);
    const [line] = encryptionNotes(sip, [], { name: 'node:crypto', reason: 'not installed' });
    expect(line).toMatch(/by node:crypto \(.*: not installed\)\.$/);
  });

  it('warns of keys that can be read', () => {
    const notes = encryptionNotes(
      { ...sip, keysInClear: true },
      [carrier, trunk('safe', false), trunk('old', true)],
      library,
    );
    expect(notes.slice(1)).toEqual([
      expect.stringMatching(/^KEYS IN THE CLEAR: sip\.keysInClear lets keys/),
      expect.stringMatching(/^KEYS IN THE CLEAR: trunks carrier, old let keys/),
    ]);
  });
});
