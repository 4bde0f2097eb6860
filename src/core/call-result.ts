/** What a call came to, by what its dialogue did, where its agent has no name of its own for it. */
export const CALL_RESULTS = [
  'done', // what was wanted was done
  'answered', // questions were
  'transferred', // a person took it over
  'unreached', // a person was wanted, and none took it
  'given-up', // something was begun and left, by whomever
  'hung-up', // the caller hung up in the middle of something
  'not-understood',
  'nothing-said',
  'machine', // took a call out
  'failed', // broke off
] as const;
export type CallResult = (typeof CALL_RESULTS)[number];
