/**
 * Exit 0 while the gateway of this container lives (`/healthz`), else 1. A gateway that drains, or lacks its database, lives. Where a
 * settings file of yours has another address or port of HTTP, say so here too: NIDAA_HOST, NIDAA_HTTP_PORT.
 */
import { get } from 'node:http';

const { NIDAA_HOST, NIDAA_HTTP_PORT } = process.env;
const LOOPBACK = { '0.0.0.0': '127.0.0.1', '::': '::1' };
const ANSWER_MS_MAX = 4_000;

const host = LOOPBACK[NIDAA_HOST] ?? (NIDAA_HOST || '127.0.0.1');
const request = get({ host, port: NIDAA_HTTP_PORT || 8080, path: '/healthz', timeout: ANSWER_MS_MAX }, (response) => {
  process.exit(response.statusCode === 200 ? 0 : 1);
});
request.on('timeout', () => process.exit(1));
request.on('error', () => process.exit(1));
