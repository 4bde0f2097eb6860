import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { openMetrics } from '../../src/compose/metrics-listener.ts';
import { silentLogger } from '../../src/core/logger.ts';
import { createMetrics } from '../../src/core/metrics.ts';
import { LogCapture } from '../support/log-capture.ts';

const deps = { metrics: createMetrics(), logger: silentLogger };

describe('the metrics port', () => {
  it('serves on its address until it is closed', async () => {
    const listener = await openMetrics({ host: '127.0.0.1', port: 0 }, deps);
    if (!listener.state.ok) throw new Error(listener.state.why);
    expect(listener.state.address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/);
    expect(await (await fetch(listener.state.address)).text()).toContain('nidaa_calls_active');
    await listener.close();
    await expect(fetch(listener.state.address)).rejects.toThrow();
  });

  it('that is taken is a warning that says what to set, and no failure', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as { port: number };
    const logs = new LogCapture();
    const listener = await openMetrics({ host: '127.0.0.1', port }, { ...deps, logger: logs.logger });
    expect(listener.state).toEqual({ ok: false, why: expect.stringContaining('NIDAA_METRICS_PORT') });
    expect(logs.text).toContain('metrics are not served');
    await listener.close();
    await new Promise((resolve) => taken.close(resolve));
  });
});
