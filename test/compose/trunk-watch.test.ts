import { expect, it } from 'vitest';
import { TrunkWatch } from '../../src/compose/trunk-watch.ts';
import { OperatorError } from '../../src/core/errors.ts';
import { createMetrics } from '../../src/core/metrics.ts';
import { PUBLIC_ONLY } from '../../src/core/trunk.ts';
import type { TrunkStatus } from '../../src/core/trunk-status.ts';
import type { TrunkStateRows } from '../../src/store/trunk-states.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { fakeAnswer, fakeRequest } from '../support/fake-srf.ts';
import { LogCapture } from '../support/log-capture.ts';
import { trunkOf } from '../support/trunks.ts';

it('a trunk whose secret cannot be opened keeps no other from being registered, and is told of once', async () => {
  const clock = new FakeClock();
  const log = new LogCapture();
  const registered: string[] = [];
  const states = { tell: async () => undefined, takeBack: async () => undefined };
  const watch = new TrunkWatch({
    ...{ clock, logger: log.logger, metrics: createMetrics() },
    states: states as unknown as TrunkStateRows,
    ask: async ({ method, uri }) => {
      if (method === 'REGISTER') registered.push(uri);
      return { failed: 'silent' };
    },
  });
  const registers = (name: string) =>
    trunkOf({
      ...{ name, hosts: [{ uri: `sip:${name}.example`, priority: 1, weight: 1 }], pingSeconds: 0 },
      ...{ outbound: { username: 'u', realm: 'r' }, register: { expiresSeconds: 3_600 } },
    });
  const [broken, sound] = [registers('broken'), registers('sound')];
  watch.start({
    trunks: [broken, sound],
    secretsOf: async (id) => {
      if (id === broken.id) throw new OperatorError('the key is another');
      return { password: 'p' };
    },
  });
  await clock.advanceAsync(10_000, 500);
  expect(registered[0]).toBe('sip:sound.example');
  expect(log.lines.filter(({ error }) => error === 'the key is another')).toHaveLength(1);
  await watch.close();
});

it('a trunk that is switched off is asked nothing and unregistered, and registers again when it is on', async () => {
  const clock = new FakeClock();
  const asked: string[] = [];
  const states = { tell: async () => undefined, takeBack: async () => undefined };
  const watch = new TrunkWatch({
    ...{ clock, logger: new LogCapture().logger, metrics: createMetrics() },
    states: states as unknown as TrunkStateRows,
    ask: async ({ method, uri, headers = {} }) => {
      const isLeave = headers['Expires'] === '0' || /expires=0\b/.test(headers['Contact'] ?? '');
      asked.push(isLeave ? 'unregister' : method.toLowerCase());
      const Contact = '<sip:u@192.0.2.1:5060>;expires=3600';
      return {
        response: fakeAnswer(200, { headers: { Contact } }),
        sent: fakeRequest({ method, uri, headers: { Contact } }),
      };
    },
  });
  const trunk = trunkOf({
    ...{ name: 'carrier', hosts: [{ uri: 'sip:carrier.example', priority: 1, weight: 1 }], pingSeconds: 5 },
    ...{ outbound: { username: 'u', realm: 'r' }, register: { expiresSeconds: 3_600 } },
  });
  const directory = { trunks: [trunk], secretsOf: async () => ({ password: 'p' }) };
  watch.start(directory);
  await clock.advanceAsync(10_000, 500);
  expect(asked).toContain('register');
  expect(asked).toContain('options');
  directory.trunks = [{ ...trunk, enabled: false }];
  await clock.advanceAsync(3_000, 500);
  expect(asked).toContain('unregister');
  asked.length = 0;
  await clock.advanceAsync(60_000, 500);
  expect(asked).toEqual([]);
  directory.trunks = [{ ...trunk, enabled: true }];
  await clock.advanceAsync(10_000, 500);
  expect(asked).toContain('register');
  expect(asked).toContain('options');
  await watch.close();
});

it('what an account wrote is asked and registered at on the public internet alone, and its state says why it is not', async () => {
  const clock = new FakeClock();
  const asked = new Set<string>();
  const told = new Map<string, TrunkStatus>();
  const states = {
    tell: async (all: ReadonlyMap<string, TrunkStatus>) => {
      for (const [id, status] of all) told.set(id, status);
    },
    takeBack: async () => undefined,
  };
  const watch = new TrunkWatch({
    ...{ clock, logger: new LogCapture().logger, metrics: createMetrics() },
    states: states as unknown as TrunkStateRows,
    ask: async ({ method, nextHop }) => {
      asked.add(`${method} ${nextHop}`);
      return { failed: nextHop?.includes(PUBLIC_ONLY) ? 'not-public' : 'silent' };
    },
  });
  const uri = 'sip:pbx.example.com';
  const named = (name: string, accountId?: string) =>
    trunkOf(
      {
        ...{ name, hosts: [{ uri, priority: 1, weight: 1 }], pingSeconds: 5 },
        ...{ outbound: { username: 'u', realm: 'r' }, register: { expiresSeconds: 3_600 } },
      },
      accountId,
    );
  const [own, shared] = [named('own', 'acc_1'), named('shared')];
  watch.start({ trunks: [own, shared], secretsOf: async () => ({ password: 'p' }) });
  await clock.advanceAsync(10_000, 500);
  expect([...asked].sort()).toEqual(
    ['OPTIONS', 'REGISTER'].flatMap((method) => [
      `${method} ${uri};transport=udp`,
      `${method} ${uri};transport=udp;${PUBLIC_ONLY}`,
    ]),
  );
  expect(told.get(own.id)).toMatchObject({
    hosts: [{ uri, state: 'down', problem: 'not-public' }],
    registration: { problem: `${uri};transport=udp: not-public` },
  });
  expect(told.get(shared.id)).toMatchObject({ hosts: [{ uri, state: 'down', problem: 'silent' }] });
  await watch.close();
});
