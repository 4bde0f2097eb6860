/** The English agent that callers of the benches ask. */
export const AGENT = '1000';
/** A caller waits so long after an answer. */
export const PATIENCE_MS = 500;
/** Questions that the agent answers from its knowledge in one short sentence. */
export const QUESTIONS = [
  'where do you deliver',
  'what is the maximum weight',
  'how can I pay',
  'do you ship abroad',
  'what are your opening hours',
  'how long does a refund take',
];
