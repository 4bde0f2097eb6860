import { expect, it } from 'vitest';
import { FailedHandshakes } from '../../../src/sip-server/tls/failed-handshakes.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { LogCapture } from '../../support/log-capture.ts';

it('tells of handshakes that fail, a line in ten seconds, and of nobody by name', () => {
  const clock = new FakeClock();
  const log = new LogCapture();
  const handshakes = new FailedHandshakes(clock, log.logger);
  handshakes.note('192.0.2.1', 'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA');
  for (let i = 0; i < 1_000; i += 1) handshakes.note('192.0.2.2', 'ERR_SSL_HTTP_REQUEST');
  clock.advance(10_000);
  handshakes.note('192.0.2.3', 'ECONNRESET');
  expect(log.lines).toMatchObject([
    { code: 'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', others: 0, msg: 'a TLS handshake failed' },
    { code: 'ECONNRESET', others: 1_000 },
  ]);
  expect(log.text).not.toContain('192.0.2');
});
