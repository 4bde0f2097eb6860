import type { Agent } from '../core/agent.ts';
import type { TestAction, TestAfter, TestFault } from '../core/agent-tests.ts';
import type { TurnNotes } from '../core/turn-details.ts';
import { analysisOf } from '../engines/after-call/analyse.ts';
import type { CallEnding } from '../engines/after-call/call-result.ts';
import { CallTally } from '../engines/after-call/call-tally.ts';

/** How a dialogue ended: whoever is sent on in a test gets through, and who is left alone hangs up. */
const ENDINGS: Readonly<Record<TestAction, CallEnding>> = {
  transfer: { party: 'caller', reason: 'transferred' },
  hangup: { party: 'agent', reason: 'agent-hangup' },
  none: { party: 'caller', reason: 'caller-hangup' },
};

/** What would be written down of a dialogue if it were a call. */
export class WrittenAfter {
  readonly #tally: CallTally;
  #turns = 0;
  #last: TestAction = 'none';

  constructor(private readonly agent: Agent) {
    this.#tally = new CallTally(agent.definition);
  }

  caller(text: string, { tools: _, ...details }: TurnNotes): void {
    if (text !== '') this.#tally.add({ index: this.#turns++, role: 'caller', text, details });
  }

  agentSaid(text: string, { tools }: TurnNotes, action: TestAction): void {
    this.#last = action;
    const details = { ...(tools && { tools }), ...(action !== 'none' && { action }) };
    this.#tally.add({ index: this.#turns++, role: 'agent', text, details });
  }

  /** Everything that was expected and is not so. */
  faults({ outcome, fields }: TestAfter): readonly TestFault[] {
    const analysis = analysisOf(this.agent.definition, this.#tally, ENDINGS[this.#last]);
    const values = new Map(analysis?.fields.map(({ name, value }) => [name, value]));
    const wrong = (what: string, expected: string, got: string): TestFault[] =>
      expected === got ? [] : [{ kind: 'after', expected: `${what} ${expected || 'empty'}`, got: got || 'nothing' }];
    return [
      ...(outcome === undefined ? [] : wrong('the outcome', outcome, analysis?.outcome ?? '')),
      ...Object.entries(fields).flatMap(([name, value]) => wrong(name, value, values.get(name) ?? '')),
    ];
  }
}
