import type { ReplyEngine } from './contract.ts';

/** The same engine, answering in another way: greetings, expectations and what it takes note of stay its own. */
export function answering(engine: ReplyEngine, reply: ReplyEngine['reply']): ReplyEngine {
  return {
    name: engine.name,
    available: (agent) => engine.available(agent),
    greeting: (agent, variables, mode) => engine.greeting(agent, variables, mode),
    expects: (agent, history, variables) => engine.expects(agent, history, variables),
    takesNote: (agent, note) => engine.takesNote?.(agent, note) ?? 'no',
    reply,
    close: () => engine.close(),
  };
}
