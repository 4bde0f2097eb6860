import { PHRASES } from '../call/phrases.ts';
import type { Agent } from '../core/agent.ts';
import type { CallerDoing, DialogueResult, TestAction, TestDialogue, TestTurn } from '../core/agent-tests.ts';
import type { Turn } from '../engines/reply/contract.ts';
import { isKeys } from '../engines/reply/keypad.ts';
import { faultsOf, type TurnFacts } from './expectation.ts';
import { namedIntents, valuesOf } from './outcome-names.ts';
import { doneText, type TextTester } from './text-dialogue.ts';

/** A call that was held, as its caller timed it and its gateway wrote it down. Times are milliseconds since the answer. */
export interface HeldCall {
  /** What the caller did, in order: fewer than it wanted where the call ended before. */
  readonly said: readonly { readonly fromMs: number; readonly toMs: number }[];
  readonly heard: readonly { readonly fromMs: number; readonly toMs: number }[]; // of the agent, on the wire
  readonly turns: readonly {
    readonly role: 'caller' | 'agent' | 'person';
    readonly text: string;
    readonly startedMs: number;
  }[];
  readonly transfersMs: readonly number[];
  readonly byAgent: boolean; // the agent hung up
  readonly end: string;
  readonly durationMs: number;
}

/** A voice is noticed a little before or after its first packet. */
const ONSET_MS = 400;
/** The far end's clock of the call began with its answer, ours when that came. */
const SKEW_MS = 60;

/** Said while callers wait; it is no part of the dialogue. */
const ASIDES: ReadonlySet<string> = new Set(Object.values(PHRASES.oneMoment));

interface Read {
  readonly intents: readonly string[];
  readonly slots: Readonly<Record<string, string>>;
}

/**
 * What of a dialogue came true in a call. Words are those that the gateway wrote down; intents and values are what the rules make
 * of the words that were recognised, which is what they made of them in the call; times are those on the wire.
 */
export async function judgeCall(
  agent: Agent,
  { name, line, steps, variables }: TestDialogue,
  call: HeldCall,
  tester: TextTester,
): Promise<DialogueResult> {
  const read = await readTurns(agent, { ...agent.definition.variables, ...variables }, call, tester);
  const turns: TestTurn[] = [];
  let at = -1; // of the last thing the caller did; the greeting comes before
  for (const [index, { doing, expected, line: stepLine }] of steps.entries()) {
    if (doing) at += 1;
    const facts = factsOf(call, at, read);
    const isOver = doing !== undefined && at >= call.said.length;
    const { ms, ...answered } = facts;
    turns.push({
      ...{ step: index + 1, line: expected?.line ?? stepLine, did: doing ? doneText(doing) : '', ...answered },
      ...{ intents: facts.intents ?? [], slots: facts.slots ?? {}, ...(expected && { expected }) },
      ...(doing && hasWords(doing) && !isOver && { heard: understood(call, at) }),
      ...(ms !== undefined && { ms }),
      faults: isOver
        ? [{ kind: 'call', expected: 'a call that goes on', got: `one that had ended (${call.end})` }]
        : expected
          ? faultsOf(expected, facts)
          : [],
    });
    if (turns.at(-1)!.faults.length > 0) break;
  }
  const failed = turns.some(({ faults }) => faults.length > 0);
  return { name, line, outcome: failed ? 'failed' : 'passed', durationMs: call.durationMs, turns };
}

function factsOf(call: HeldCall, at: number, read: ReadonlyMap<number, Read>): TurnFacts {
  const { said, heard, turns, transfersMs, byAgent } = call;
  const fromMs = said[at]?.fromMs ?? Number.NEGATIVE_INFINITY;
  const beforeMs = said[at + 1]?.fromMs ?? Number.POSITIVE_INFINITY;
  const within = (ms: number): boolean => ms >= fromMs && ms < beforeMs;
  const begun = turns.filter(({ role, startedMs }) => role === 'agent' && within(startedMs));
  const doneMs = said[at]?.toMs ?? 0;
  const answers = begun.length > 0 ? begun : goingOn(call, at);
  const sound = heard.find((one) => one.fromMs >= doneMs - SKEW_MS && within(one.fromMs))?.fromMs;
  const beginMs = sound ?? answers.find(({ startedMs }) => startedMs >= doneMs - SKEW_MS)?.startedMs;
  const isLast = at === said.length - 1;
  const action: TestAction = transfersMs.some(within) ? 'transfer' : isLast && byAgent ? 'hangup' : 'none';
  return {
    reply: answers.map(({ text }) => text).join(' '),
    ...(read.get(at) ?? { intents: [], slots: read.get(lastRead(read, at))?.slots ?? {} }),
    action,
    ms: beginMs === undefined ? undefined : Math.max(0, Math.round(beginMs - doneMs)),
  };
}

const hasWords = ({ type }: CallerDoing): boolean => type === 'caller' || type === 'interrupt';

/** Where the agent spoke on over what the caller did, as it does when somebody only listens: what it was saying. */
function goingOn({ said, heard, turns }: HeldCall, at: number): HeldCall['turns'] {
  const act = said[at];
  if (!act || !heard.some(({ fromMs, toMs }) => fromMs < act.fromMs && toMs > act.toMs)) return [];
  const before = turns.filter(({ role, startedMs }) => role === 'agent' && startedMs < act.fromMs);
  return before.slice(-1);
}

/** Which of what the caller did a turn of its is the record of. */
const placeOf = (said: HeldCall['said'], startedMs: number): number =>
  said.findLastIndex(({ fromMs }) => fromMs <= startedMs + ONSET_MS);

function understood({ said, turns }: HeldCall, at: number): string {
  const words = turns.filter(({ role, startedMs }) => role === 'caller' && placeOf(said, startedMs) === at);
  return words.map(({ text }) => text).join(' ');
}

const lastRead = (read: ReadonlyMap<number, Read>, at: number): number =>
  Math.max(-1, ...[...read.keys()].filter((one) => one < at));

/** By the place of what the caller did: what the rules make of what was understood of it. */
async function readTurns(
  agent: Agent,
  variables: Readonly<Record<string, string>>,
  { said, turns }: HeldCall,
  { engine, clock, decided }: TextTester,
): Promise<ReadonlyMap<number, Read>> {
  clock.begin(undefined);
  const history: Turn[] = [];
  const found = new Map<number, Read>();
  for (const { role, text, startedMs } of turns) {
    if (role === 'caller') {
      decided();
      const input = isKeys(text) ? 'keypad' : 'speech';
      const request = { agent, variables, mode: 'voice', text, input, confidence: 1, history: [...history] } as const;
      for await (const _ of engine.reply(request, new AbortController().signal)) void _;
      const outcome = decided().at(-1);
      const at = placeOf(said, startedMs);
      const before = found.get(at)?.intents ?? [];
      const intents = outcome ? namedIntents(outcome.meant, agent.definition) : [];
      found.set(at, {
        intents: [...new Set([...before, ...intents])],
        slots: outcome ? valuesOf(outcome) : {},
      });
    }
    if (role !== 'person' && !ASIDES.has(text)) history.push({ role, text });
  }
  return found;
}
