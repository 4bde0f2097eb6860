import { describe, expect, it } from 'vitest';
import { parseTrunk } from '../../../src/config/trunks.ts';
import {
  bodyOf,
  draftOf,
  FORM_PARTS,
  NEW_TRUNK,
  partOfProblem,
} from '../../../src/console/pages/numbers/model/trunk-draft.ts';

const read = (definition: object) => parseTrunk(JSON.stringify(definition), 'definition', {}).definition;

const EVERYTHING = read({
  name: 'carrier',
  hosts: [{ uri: 'sip:a.example', priority: 5, weight: 2 }, 'sips:b.example:5061'],
  transport: 'tls',
  inbound: { sources: ['203.0.113.0/28'], auth: 'digest', username: 'pbx', certificateName: 'sbc.example' },
  outbound: { username: '500', realm: 'a.example', fromUser: '500', fromDomain: 'a.example' },
  register: { expiresSeconds: 600 },
  pingSeconds: 0,
  encryption: 'require',
  keysInClear: true,
  dtls: true,
  dtmf: 'info',
  numbersIn: [{ match: '05', replace: '+9665', digits: 10, example: '0512345678 -> +966512345678' }],
  numbersOut: [{ match: '+', replace: '00' }],
  callerId: 'remote-party-id',
  headersIn: ['Diversion'],
  headersOut: { 'X-Ticket': '{ticket}' },
  limits: { callsIn: 1, callsOut: 2, callsPerSecondIn: 0.5, callsPerSecondOut: 3 },
  allowedPrefixes: ['+966'],
});

describe('a trunk in the form', () => {
  it.each([
    { name: 'with everything', definition: EVERYTHING },
    { name: 'with nothing', definition: read({ name: 'x', inbound: { sources: ['192.0.2.1'] } }) },
  ])('is sent as it was read: $name', ({ definition }) => {
    expect(bodyOf(draftOf(definition))).toEqual({ definition });
  });

  it('begins with the defaults of the gateway', () => {
    const { definition } = bodyOf({ ...NEW_TRUNK, name: 'x', sources: ['192.0.2.1'] });
    expect(definition).toEqual(read({ name: 'x', inbound: { sources: ['192.0.2.1'] } }));
  });

  it('has parts for every field there is', () => {
    const fields = Object.values(FORM_PARTS).flat() as readonly string[];
    expect([...fields].sort()).toEqual(Object.keys(EVERYTHING).sort());
  });

  it('takes hosts as people write them, and leaves out empty rows', () => {
    const hosts = ['sbc.example', ' sip:b.example ', ''].map((uri) => ({ uri, priority: 10, weight: 1 }));
    const { definition } = bodyOf({ ...NEW_TRUNK, name: ' x ', hosts });
    expect(definition.hosts.map(({ uri }) => uri)).toEqual(['sip:sbc.example', 'sip:b.example']);
    expect(definition.name).toBe('x');
  });

  it('sends passwords that were typed, and no others', () => {
    const typed = { ...NEW_TRUNK, name: 'x', password: 'one', inboundPassword: 'two' };
    expect(bodyOf(typed)).toMatchObject({ password: 'one' });
    expect(bodyOf(typed)).not.toHaveProperty('inbound_password');
    expect(bodyOf({ ...typed, auth: 'digest' })).toMatchObject({ inbound_password: 'two' });
  });

  it.each([
    { definition: { name: 'x', inbound: { sources: ['nowhere'] } }, part: 'who' },
    { definition: { name: 'x', hosts: ['http://a'] }, part: 'where' },
    { definition: { name: 'x', hosts: ['sip:a.example'], outbound: { username: 'u' } }, part: 'where' },
    { definition: { name: 'x', hosts: ['sip:a.example'], allowedPrefixes: ['x'] }, part: 'numbers' },
    { definition: { name: 'x', hosts: ['sip:a.example'], numbersIn: [{ match: '', replace: '' }] }, part: 'numbers' },
    { definition: { name: 'x', hosts: ['sip:a.example'], limits: { callsIn: -1 } }, part: 'limits' },
    { definition: { name: 'x', hosts: ['sip:a.example'], headersOut: { Via: 'x' } }, part: 'headers' },
  ])('is opened where it is refused: $part', ({ definition, part }) => {
    let said = '';
    try {
      read(definition);
    } catch (error) {
      said = (error as Error).message.split('\n')[1]!;
    }
    expect(partOfProblem(said)).toBe(part);
  });
});
