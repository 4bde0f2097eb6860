import { describe, expect, it } from 'vitest';
import { ErrorRing } from '../../src/core/error-ring.ts';
import { createLogger } from '../../src/core/logger.ts';

const WITHOUT = { code: undefined, requestId: undefined, callId: undefined };

function logged(keptMax?: number) {
  const ring = new ErrorRing(keptMax);
  const lines: string[] = [];
  const stream = { write: (line: string) => void lines.push(line) };
  return { ring, lines, logger: createLogger({ level: 'debug', redactPersonal: false }, ring.tap(stream)) };
}

describe('the latest errors', () => {
  it('are those of the log, newest first, without what may be personal', () => {
    const { ring, lines, logger } = logged();
    logger.warn({ reqId: 'req_1' }, 'only a warning');
    logger.error({ error: 'Key (number)=(+966501234567)', pii: { from: '+966501234567' } }, 'a thing failed');
    const ofRequest = logger.child({ reqId: 'req_2', call_id: 'call_5xq2k7w3n4b6c2d7e3fa' });
    ofRequest.fatal({ code: 'internal_error', stack: 'at noura' }, 'no answer for +966501234567');
    const kept = ring.list().map(({ at, ...rest }) => rest);
    expect(kept).toEqual([
      {
        ...{ level: 'fatal', component: 'unknown', message: 'no answer for +#', code: 'internal_error' },
        ...{ requestId: 'req_2', callId: 'call_5xq2k7w3n4b6c2d7e3fa', times: 1 },
      },
      { level: 'error', component: 'unknown', message: 'a thing failed', ...WITHOUT, times: 1 },
    ]);
    expect(lines).toHaveLength(3);
    expect(JSON.stringify(ring.list())).not.toMatch(/noura|96650/);
    expect(ring.list('req_2').map(({ requestId }) => requestId)).toEqual(['req_2']);
  });

  it('are bounded, and one that comes again and again is one', () => {
    const { ring, logger } = logged(3);
    for (const message of ['a', 'b', 'b', 'b', 'c', 'b', 'd']) logger.error(message);
    expect(ring.list().map(({ message, times }) => [message, times])).toEqual([
      ['d', 1],
      ['b', 1],
      ['c', 1],
    ]);
    logger.error({ reqId: 'req_1' }, 'd');
    logger.error({ reqId: 'req_2' }, 'd');
    expect(ring.list().map(({ requestId }) => requestId)).toEqual(['req_2', 'req_1', undefined]);
  });

  it('say which part logged them, and take nothing that fits no field', () => {
    const ring = new ErrorRing();
    const stream = ring.tap({ write: () => undefined });
    stream.write('{"level":"error","component":"billing","reqId":"a b","call":"+966501234567","code":7,"msg":"x"}\n');
    stream.write('{"level":"error" broken\n');
    expect(ring.list().map(({ at, ...rest }) => rest)).toEqual([
      { level: 'error', component: 'billing', message: 'x', ...WITHOUT, times: 1 },
    ]);
  });
});
