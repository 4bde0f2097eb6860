import { afterAll, describe, expect, it } from 'vitest';
import { buildApp } from '../../src/api/app.ts';
import { silentLogger } from '../../src/core/logger.ts';
import { createMetrics } from '../../src/core/metrics.ts';
import { apiRig } from '../support/api-rig.ts';

const { app } = apiRig();
afterAll(() => app.close());

describe('/', () => {
  it('takes a browser to the reference where there is no console', async () => {
    const answer = await app.inject({ url: '/', headers: { accept: 'text/html,application/xhtml+xml;q=0.9' } });
    expect([answer.statusCode, answer.headers.location]).toEqual([302, '/docs']);
  });

  it('takes a browser to the console', async () => {
    const app = buildApp({
      ...{ logger: silentLogger, metrics: createMetrics(), version: '1.2.3', readiness: async () => ({}) },
      manage: async () => undefined,
    });
    const answer = await app.inject({ url: '/', headers: { accept: 'text/html' } });
    expect(answer.headers.location).toBe('/console/');
    expect((await app.inject('/')).json()).toMatchObject({ console: '/console/' });
    await app.close();
  });

  it('tells a program where things are, and there they are', async () => {
    const places = (await app.inject('/')).json<Record<string, string>>();
    const paths = Object.values(places).filter((value) => value.startsWith('/'));
    expect(paths).toContain('/docs');
    for (const path of paths) {
      if (path === '/asyncapi.json') continue; // of a gateway with live sockets
      expect({ path, status: (await app.inject(path)).statusCode }).toEqual({ path, status: 200 });
    }
  });
});
