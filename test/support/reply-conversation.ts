import type { Agent } from '../../src/core/agent.ts';
import type { CallAction, ReplyEngine, ReplyRequest, Turn } from '../../src/engines/reply/contract.ts';

export interface Said {
  readonly text: string;
  readonly action: CallAction | undefined;
}

/** A telephone conversation with a reply engine, as the call path keeps it: nothing but the turns' texts. */
export class Conversation {
  readonly history: Turn[] = [];
  constructor(
    private readonly engine: ReplyEngine,
    private readonly agent: Agent,
    private readonly mode: ReplyRequest['mode'] = 'voice',
    private readonly variables: Readonly<Record<string, string>> = {},
  ) {
    this.history.push({ role: 'agent', text: engine.greeting(agent, variables, mode) });
  }

  /** Takes one caller turn; `heardChars` cuts what of the answer the caller heard (barge-in). */
  async say(text: string, options: { confidence?: number; heardChars?: number } = {}): Promise<Said> {
    return this.#turn(text, text === '' ? 'silence' : /^[0-9*#]+$/.test(text) ? 'keypad' : 'speech', options);
  }

  async #turn(
    text: string,
    input: ReplyRequest['input'],
    options: { confidence?: number; heardChars?: number },
  ): Promise<Said> {
    const pieces: string[] = [];
    let action: CallAction | undefined;
    const request: ReplyRequest = {
      agent: this.agent,
      text,
      input,
      mode: this.mode,
      confidence: options.confidence ?? 1,
      history: [...this.history],
      variables: this.variables,
    };
    for await (const event of this.engine.reply(request, new AbortController().signal)) {
      if (event.type === 'text') pieces.push(event.text);
      else action = event.action;
    }
    const reply = pieces.join(' ');
    if (text !== '') this.history.push({ role: 'caller', text });
    const heard = options.heardChars === undefined ? reply : reply.slice(0, options.heardChars);
    if (heard !== '') this.history.push({ role: 'agent', text: heard });
    return { text: reply, action };
  }
}
