import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parseSipUri } from '../../../src/sip-server/message/sip-uri.ts';
import {
  numericTransport,
  portOr,
  TRANSPORT_NAMES,
  TRANSPORTS,
  type TransportName,
  transportsOf,
} from '../../../src/sip-server/transport/transports.ts';

describe('what a URI says about its transport', () => {
  it.each([
    { uri: 'sip:a@h', secure: false, named: false, allowed: 'udp tcp tls', numeric: 'udp' },
    { uri: 'sip:a@h;transport=udp', secure: false, named: true, allowed: 'udp', numeric: 'udp' },
    { uri: 'sip:a@h;transport=TCP', secure: false, named: true, allowed: 'tcp', numeric: 'tcp' },
    { uri: 'sip:a@h;transport=tls', secure: true, named: true, allowed: 'tls', numeric: 'tls' },
    { uri: 'sips:a@h', secure: true, named: true, allowed: 'tls', numeric: 'tls' },
    { uri: 'sips:a@h;transport=tcp', secure: true, named: true, allowed: 'tls', numeric: 'tls' },
    { uri: 'sips:a@h;transport=tls', secure: true, named: true, allowed: 'tls', numeric: 'tls' },
    { uri: 'sips:a@h;transport=udp', secure: true, named: true, allowed: '', numeric: 'udp' },
    { uri: 'sip:a@h;transport=ws', secure: false, named: true, allowed: 'ws', numeric: 'ws' },
    { uri: 'sip:a@h;transport=wss', secure: true, named: true, allowed: 'wss', numeric: 'wss' },
    { uri: 'sips:a@h;transport=ws', secure: true, named: true, allowed: 'wss', numeric: 'wss' },
    { uri: 'sip:a@h;transport=sctp', secure: false, named: true, allowed: '', numeric: 'udp' },
  ])('$uri', ({ uri, allowed, numeric, ...rest }) => {
    const parsed = parseSipUri(uri)!;
    const said = transportsOf(parsed);
    expect({ ...said, allowed: said.allowed.join(' ') }).toEqual({ ...rest, allowed });
    expect(numericTransport(parsed)).toBe(numeric);
  });

  it.each<[TransportName, number]>([
    ['udp', 5060],
    ['tcp', 5060],
    ['tls', 5061],
  ])('%s listens on %i unless told otherwise', (transport, port) => {
    expect([portOr(undefined, transport), portOr(5099, transport)]).toEqual([port, 5099]);
  });
});

describe('the table', () => {
  it.each(TRANSPORT_NAMES)('%s is told apart by its Via, its name in a URI, and its name service', (name) => {
    const others = TRANSPORT_NAMES.filter((other) => other !== name).map((other) => TRANSPORTS[other]);
    const { via, uriName, naptrService, srvPrefix } = TRANSPORTS[name];
    const own = [via, uriName, naptrService, srvPrefix].filter((text) => text !== '');
    expect(others.flatMap((row) => [row.via, row.uriName, row.naptrService, row.srvPrefix])).not.toEqual(
      expect.arrayContaining([expect.toSatisfy((text) => own.includes(text as string))]),
    );
  });

  it('is the only place that knows names, ports and services: nobody compares them', () => {
    const folder = fileURLToPath(new URL('../../../src/sip-server', import.meta.url));
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
    const told = /[=!]==? '(udp|tcp|tls|ws|wss|secureConnect)'|'(udp|tcp|tls)' [=!]==|\b506[01]\b|SIPS?\+D2|_sips?\._/;
    const wrong = files
      .filter((file) => file !== 'transport/transports.ts')
      .flatMap((file) =>
        readFileSync(join(folder, file), 'utf8')
          .split('\n')
          .map((line) => `${file}: ${line}`),
      )
      .filter((line) => told.test(line) && !/^\S+: +(\*|\/\/|\/\*\*)|\/\/ SIP\+D2U/.test(line));
    expect(wrong).toEqual([]);
  });
});
