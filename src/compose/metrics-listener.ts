import type { AddressInfo } from 'node:net';
import { isIP } from 'node:net';
import { buildMetricsApp, type MetricsAppDeps } from '../api/routes/metrics.ts';
import type { Config } from '../config/load.ts';
import { errorText } from '../core/errors.ts';
import { sentence } from '../core/notice.ts';

export interface MetricsListener {
  /** Either where they are read, or why they are not. */
  readonly state: { readonly ok: true; readonly address: string } | { readonly ok: false; readonly why: string };
  close(): Promise<void>;
}

/** Serves the metrics on their own port. A port that is taken keeps nobody from calling: it is a warning. */
export async function openMetrics({ host, port }: Config['metrics'], deps: MetricsAppDeps): Promise<MetricsListener> {
  const app = buildMetricsApp(deps);
  const close = () => app.close();
  try {
    await app.listen({ host, port, listenTextResolver: () => 'metrics are served' });
  } catch (error) {
    const why = sentence('part.metrics-not-served', { address: `${host}:${port}`, error: errorText(error) });
    deps.logger.warn({ why }, 'metrics are not served');
    return { state: { ok: false, why }, close };
  }
  const bound = (app.server.address() as AddressInfo).port;
  const address = `http://${isIP(host) === 6 ? `[${host}]` : host}:${bound}/metrics`;
  deps.logger.info({ address }, 'metrics are served');
  return { state: { ok: true, address }, close };
}
