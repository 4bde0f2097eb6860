import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiRig, apiRig, type Sent, TOKEN } from '../support/api-rig.ts';
import { LogCapture } from '../support/log-capture.ts';

const logs = new LogCapture();
let rig: ApiRig;
beforeAll(() => {
  rig = apiRig({ logger: logs.logger });
});
afterAll(() => rig.app.close());

const OPERATIONS: readonly Sent[] = [
  { method: 'GET', url: '/v1/agents' },
  { method: 'GET', url: '/v1/voices/noura' },
  { url: '/v1/text/normalize', body: { text: 'a' } },
  { url: '/v1/speech', body: { text: 'a' } },
  { url: '/v1/transcribe/token' },
];

describe('a token in the query of an HTTP operation', () => {
  it.each(OPERATIONS)('is nothing to $url, and goes into no log', async ({ url, ...rest }) => {
    for (const query of [`token=${TOKEN}`, `access_token=${TOKEN}`, `token=${encodeURIComponent(`Bearer ${TOKEN}`)}`]) {
      const answer = await rig.send({ ...rest, url: `${url}?${query}`, token: null });
      expect([answer.statusCode, answer.json().error.code]).toEqual([401, 'unauthorized']);
      expect(answer.body + JSON.stringify(answer.headers)).not.toContain(TOKEN);
    }
    expect(logs.text).not.toContain(TOKEN);
  });

  it('does not harm a request with a good header either', async () => {
    const answer = await rig.send({ method: 'GET', url: `/v1/models?token=service_sk_live_canary` });
    expect(answer.statusCode).toBe(200);
    expect(logs.text).not.toContain('canary');
  });
});
