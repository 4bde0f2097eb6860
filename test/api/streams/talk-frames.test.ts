import Fastify from 'fastify';
import { afterAll, describe, expect, it } from 'vitest';
import { TALK_MESSAGES } from '../../../src/api/asyncapi-talk.ts';
import { callEnd } from '../../../src/call/call-end.ts';
import type { CallObservation } from '../../../src/call/call-observer.ts';
import { TALK_ERRORS, type TalkErrorCode } from '../../../src/core/talk-errors.ts';
import type { StreamFrame } from '../../../src/streams/stream-protocol.ts';
import { TalkProtocol } from '../../../src/streams/talk-protocol.ts';

const protocol = new TalkProtocol(() => ({
  ...{ sessionId: 'str_1', agentId: 'agt_1', from: 'web', variables: {}, hearingRateHz: 16_000 },
}));
const TURN = { index: 1, role: 'agent', text: 'Hello', startedMs: 1, heardMs: 2, latencyMs: 3 } as const;
const OBSERVED: readonly CallObservation[] = [
  { type: 'heard', text: 'hi', final: false },
  { type: 'says', text: 'Hello' },
  { type: 'turn', turn: TURN },
];

/** Everything that the protocol can say. */
const SAID: readonly (StreamFrame | undefined)[] = [
  ...[protocol.welcome(), ...protocol.answered('call_1'), protocol.mark('nidaa-1'), protocol.clear()],
  ...[protocol.keys('1#'), ...OBSERVED.map((one) => protocol.observed(one))],
  ...protocol.ended(callEnd('agent', 'agent-hangup'), { seconds: 1.5 }).frames,
  ...(Object.keys(TALK_ERRORS) as TalkErrorCode[]).flatMap((code) => protocol.refused({ code }).frames),
];

/** Judges each frame by its schema, as the server judges bodies; fields that no schema has are wrong here. */
const judge = Fastify({ ajv: { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false } } });
for (const [key, { payload }] of Object.entries(TALK_MESSAGES)) {
  if (key !== 'talk.audio')
    judge.post(`/${key}`, { schema: { body: { ...payload, additionalProperties: false } } }, () => ({}));
}
afterAll(() => judge.close());
const verdictOf = async (frame: object): Promise<string> =>
  (await judge.inject({ method: 'POST', url: `/talk.${(frame as { type: string }).type}`, body: frame })).body;

describe('the talk socket of the reference', () => {
  it.each(SAID.map(String))('describes %s', async (text) => {
    expect(await verdictOf(JSON.parse(text))).toBe('{}');
  });

  it('is no description of anything', async () => {
    expect(await verdictOf({ type: 'mark', name: 7 })).not.toBe('{}');
    expect(await verdictOf({ type: 'clear', more: 1 })).not.toBe('{}');
  });

  it.each(['start', 'dtmf', 'mark', 'end', 'keepalive'])('has an example of %s that is understood', async (type) => {
    const [example] = TALK_MESSAGES[`talk.${type}`]!.examples!;
    expect(await verdictOf(example!.payload as object)).toBe('{}');
    expect(protocol.read(Buffer.from(JSON.stringify(example!.payload)), false).type).not.toBe('fault');
  });
});
