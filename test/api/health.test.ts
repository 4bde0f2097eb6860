import { describe, expect, it } from 'vitest';
import { buildApp } from '../../src/api/app.ts';
import type { PartState } from '../../src/api/routes/health.ts';
import { buildMetricsApp } from '../../src/api/routes/metrics.ts';
import { silentLogger } from '../../src/core/logger.ts';
import { createMetrics } from '../../src/core/metrics.ts';

const app = (parts: Record<string, PartState> = { database: { state: 'ok' } }) =>
  buildApp({ logger: silentLogger, metrics: createMetrics(), version: '1.2.3', readiness: async () => parts });

describe('health', () => {
  it.each<{ name: string; parts: Record<string, PartState>; status: number }>([
    { name: 'all well', parts: { database: { state: 'ok' } }, status: 200 },
    { name: 'something missing', parts: { stt: { state: 'degraded', detail: 'no Arabic' } }, status: 200 },
    { name: 'something down', parts: { database: { state: 'down' } }, status: 503 },
  ])('$name -> $status', async ({ parts, status }) => {
    const answer = await app(parts).inject('/readyz');
    expect(answer.statusCode).toBe(status);
    expect(answer.json().parts).toEqual(parts);
    expect((await app(parts).inject('/healthz')).statusCode).toBe(200);
  });

  it('shows no metrics where the API is: they have a port of their own', async () => {
    expect((await app().inject('/metrics')).statusCode).toBe(404);
  });
});

describe('the metrics server', () => {
  const server = () => buildMetricsApp({ logger: silentLogger, metrics: createMetrics() });

  it('renders every metric as Prometheus text', async () => {
    const answer = await server().inject('/metrics');
    expect(answer.headers['content-type']).toContain('text/plain; version=0.0.4');
    expect(answer.body).toContain('nidaa_calls_active 0');
  });

  it.each([
    { method: 'GET', url: '/', status: 404 },
    { method: 'GET', url: '/healthz', status: 404 },
    { method: 'GET', url: '/v1/agents', status: 404 },
    { method: 'POST', url: '/metrics', status: 405 },
  ] as const)('$method $url -> $status: it has nothing else', async ({ method, url, status }) => {
    expect((await server().inject({ method, url })).statusCode).toBe(status);
  });
});

describe('every answer', () => {
  it('carries a request id and the version, and keeps a good id of the client', async () => {
    const own = await app().inject({ url: '/healthz', headers: { 'x-request-id': 'mine_1' } });
    expect(own.headers).toMatchObject({ 'x-request-id': 'mine_1', 'x-service-version': '1.2.3' });
    const bad = await app().inject({ url: '/healthz', headers: { 'x-request-id': 'a b\tc' } });
    expect(bad.headers['x-request-id']).toMatch(/^req_/);
  });
  it.each([
    { method: 'GET', url: '/nothing', status: 404, code: 'not_found' },
    { method: 'POST', url: '/healthz', status: 405, code: 'method_not_allowed' },
    { method: 'DELETE', url: '/readyz?x=1', status: 405, code: 'method_not_allowed' },
  ] as const)('$method $url -> $status $code in the envelope', async ({ method, url, status, code }) => {
    const answer = await app().inject({ method, url });
    expect(answer.statusCode).toBe(status);
    expect(Object.keys(answer.json())).toEqual(['error']);
    expect(answer.json().error.code).toBe(code);
  });
});
