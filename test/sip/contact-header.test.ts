import { describe, expect, it } from 'vitest';
import {
  contactKey,
  parseContacts,
  parseSeconds,
  routeHeader,
  splitHeaderValues,
} from '../../src/sip/contact-header.ts';

describe('a Contact header', () => {
  it.each([
    { text: '<sip:a@h>', uris: ['sip:a@h'] },
    { text: 'sip:a@h', uris: ['sip:a@h'] },
    { text: '"A, \\"b\\" <c>" <sip:a@h:5070;transport=tcp>;expires=60', uris: ['sip:a@h:5070;transport=tcp'] },
    { text: '<sip:a@h>;q=0.5, <sips:b@[2001:db8::1]>', uris: ['sip:a@h', 'sips:b@[2001:db8::1]'] },
    { text: '<sip:a@h;x=1,2>', uris: ['sip:a@h;x=1,2'] },
    { text: '', uris: [] },
    { text: ' * ', uris: '*' },
  ])('$text', ({ text, uris }) => {
    const found = parseContacts(text);
    expect(Array.isArray(found) ? found.map(({ uri }) => uri) : found).toEqual(uris);
  });

  it('has parameters, in quotes or not', () => {
    const [contact] = parseContacts('<sip:a@h;ob>;+sip.instance="<urn:uuid:00-1>";reg-id=2;Expires=30') as never as [
      { parameters: Map<string, string> },
    ];
    expect([...contact.parameters]).toEqual([
      ['+sip.instance', '<urn:uuid:00-1>'],
      ['reg-id', '2'],
      ['expires', '30'],
    ]);
  });

  it.each([
    'tel:+966',
    'mailto:a@h',
    '<sip:a@h',
    '"open <sip:a@h>',
    '<sip:a@h>, *',
    '<sip:a|b@h>',
    '<sip:a@h\r\nX: y>',
    `<sip:a@h>${', <sip:a@h>'.repeat(40)}`,
    `<sip:${'a'.repeat(9_000)}@h>`,
  ])('is refused: %.40s', (text) => {
    expect(parseContacts(text)).toBeUndefined();
  });

  it('is read in time that grows with its length', () => {
    const before = process.cpuUsage();
    for (const part of ['<', '"', '\\', ';a', ';a="', ',', '<>', ' ']) {
      parseContacts(part.repeat(8_000 / part.length));
      splitHeaderValues(part.repeat(8_000 / part.length));
    }
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(500); // of its own: the machine may do other things
  });
});

it.each([
  ['60', 60],
  [' 0 ', 0],
  ['9999999999', 2 ** 32 - 1],
  ['-1', undefined],
  ['1.5', undefined],
  ['', undefined],
  ['99999999999', undefined],
])('%j seconds are %j', (text, seconds) => {
  expect(parseSeconds(text)).toBe(seconds);
});

it.each([
  ['SIP:a@HOST', 'sip:a@host', true],
  ['sip:a@h;transport=tcp;ob', 'sip:a@h;ob;transport=TCP', true],
  ['sip:a@h', 'sip:A@h', false],
  ['sip:a@h', 'sip:a@h:5060', false],
])('%s and %s are one contact: %s', (one, other, same) => {
  expect(contactKey(one) === contactKey(other)).toBe(same);
});

it('proxies that could break out of a Route header are left out', () => {
  const good = ['<sip:edge.example;lr>', '<sips:token@[2001:db8::1]:5061;lr>;ob'];
  const bad = ['sip:edge.example;lr', '<sip:a>, <sip:b>', '<sip:a|b>', '<sip:a\r\nX: y>', '<tel:1>', ''];
  expect(routeHeader([...bad, ...good])).toBe(good.join(', '));
});
