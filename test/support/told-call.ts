import type { Agent } from '../../src/core/agent.ts';
import type { CallAnalysis } from '../../src/core/call-analysis.ts';
import type { TurnNotes } from '../../src/core/turn-details.ts';
import { withNotes } from '../../src/core/turn-details.ts';
import { analysisOfTurns } from '../../src/engines/after-call/analyse.ts';
import type { CallEnding } from '../../src/engines/after-call/call-result.ts';
import type { ToldTurn } from '../../src/engines/after-call/call-tally.ts';
import type { ReplyEngine, Turn } from '../../src/engines/reply/contract.ts';
import { isKeys } from '../../src/engines/reply/keypad.ts';

const SILENCES_MAX = 6;

/** A call that is held as text: what the caller says, turn by turn; nothing but silence where nothing is said. */
export async function toldCall(
  engine: ReplyEngine,
  agent: Agent,
  says: readonly string[],
): Promise<readonly ToldTurn[]> {
  const turns: ToldTurn[] = [];
  const history: Turn[] = [];
  const tell = (turn: Omit<ToldTurn, 'index'>): void => {
    turns.push({ index: turns.length, ...turn });
    if (turn.role !== 'person' && turn.text !== '') history.push({ role: turn.role, text: turn.text });
  };
  tell({ role: 'agent', text: engine.greeting(agent, {}, 'voice') });
  for (const text of says.length > 0 ? says : Array<string>(SILENCES_MAX).fill('')) {
    const input = text === '' ? 'silence' : isKeys(text) ? 'keypad' : 'speech';
    let notes: TurnNotes = {};
    const said: string[] = [];
    let action: 'transfer' | 'hangup' | undefined;
    const request = {
      ...({ agent, text, input, mode: 'voice', confidence: 1, variables: {}, history: [...history] } as const),
      note: (more: TurnNotes) => {
        notes = withNotes(notes, more);
      },
    };
    for await (const event of engine.reply(request, new AbortController().signal)) {
      if (event.type === 'text') said.push(event.text);
      else if (event.action.type !== 'collect') action = event.action.type;
    }
    const { tools, ...details } = notes;
    if (text !== '') tell({ role: 'caller', text, details });
    tell({ role: 'agent', text: said.join(' '), details: { ...(tools && { tools }), ...(action && { action }) } });
    if (action) break;
  }
  return turns;
}

const ENDINGS: Record<'agent' | 'caller' | 'person', CallEnding> = {
  agent: { party: 'agent', reason: 'agent-hangup' },
  caller: { party: 'caller', reason: 'caller-hangup' },
  person: { party: 'caller', reason: 'transferred', transfers: [{ outcome: 'joined' }] },
};

/** What is written down of it. */
export const writtenDown = (
  { definition }: Agent,
  turns: readonly ToldTurn[],
  ends: keyof typeof ENDINGS,
): CallAnalysis | undefined => analysisOfTurns(definition, turns, ENDINGS[ends]);

export const valuesOf = (analysis: CallAnalysis | undefined): Record<string, string> =>
  Object.fromEntries((analysis?.fields ?? []).map(({ name, value }) => [name, value]));
