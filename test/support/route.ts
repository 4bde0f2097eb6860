import type { CallRoute } from '../../src/call/call-router.ts';

/** A route of one attempt, by no trunk. */
export const routeTo = (uri: string, from = '+966112223344'): CallRoute => ({
  attempts: [{ uri, from }],
  release: () => undefined,
});
