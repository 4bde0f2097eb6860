import { createContext, Script } from 'node:vm';
import type { TestAction, TestExpectation, TestFault } from '../core/agent-tests.ts';
import { sentence } from '../core/notice.ts';

/** What one turn of a conversation came to, however it was held. */
export interface TurnFacts {
  readonly reply: string;
  /** As authors name them; undefined where it is not known. */
  readonly intents: readonly string[] | undefined;
  readonly slots: Readonly<Record<string, string>> | undefined;
  readonly action: TestAction;
  readonly ms: number | undefined;
}

/** A pattern of somebody's own may take for ever: so long at a time, and so much of the processor in all. */
const PATTERN_MS_MAX = 50;
const PATTERN_CPU_MS_MAX = 120;
const PATTERN_TRIES_MAX = 10;

/** Everything that was expected and did not come, in the order of the file. */
export function faultsOf(expected: TestExpectation, facts: TurnFacts): readonly TestFault[] {
  const { reply, intents, slots, action, ms } = facts;
  const said = quoted(reply);
  const plain = plainText(reply);
  return [
    ...expected.contains
      .filter((text) => !plain.includes(plainText(text)))
      .map((text): TestFault => ({ kind: 'contains', expected: sentence('fault.in-answer', { text }), got: said })),
    ...expected.notContains
      .filter((text) => plain.includes(plainText(text)))
      .map(
        (text): TestFault => ({ kind: 'not_contains', expected: sentence('fault.not-in-answer', { text }), got: said }),
      ),
    ...expected.matches.flatMap((pattern): TestFault[] => {
      const fits = fitsPattern(pattern, reply);
      if (fits === true) return [];
      const got = fits === false ? said : sentence('fault.too-slow-pattern', { answer: said, ms: PATTERN_CPU_MS_MAX });
      return [{ kind: 'matches', expected: sentence('fault.answer-like', { pattern }), got }];
    }),
    ...intentFault(expected.intent, intents),
    ...Object.entries(expected.slots).flatMap(([name, value]): TestFault[] => {
      const held = slots && Object.hasOwn(slots, name) ? slots[name]! : '';
      if (held === value) return [];
      const shown = (one: string): string =>
        one === '' ? sentence('fault.no-value', { slot: name }) : `${name} ${one}`;
      return [{ kind: 'slot', expected: shown(value), got: slots ? shown(held) : sentence('fault.unknown') }];
    }),
    ...(expected.action !== undefined && expected.action !== action
      ? [{ kind: 'action' as const, expected: actionName(expected.action), got: actionName(action) }]
      : []),
    ...(expected.withinMs !== undefined && !(ms !== undefined && ms <= expected.withinMs)
      ? [
          {
            kind: 'within_ms' as const,
            expected: sentence('fault.answer-within', { ms: expected.withinMs }),
            got: ms === undefined ? sentence('fault.none') : sentence('fault.answer-after', { ms: Math.ceil(ms) }),
          },
        ]
      : []),
  ];
}

function intentFault(expected: string | undefined, intents: readonly string[] | undefined): TestFault[] {
  if (expected === undefined) return [];
  const got = intents?.join(', ') || (intents ? sentence('fault.none') : sentence('fault.unknown'));
  const fits = expected === 'none' ? intents?.length === 0 : intents?.includes(expected);
  return fits ? [] : [{ kind: 'intent', expected: sentence('fault.intent', { intent: expected }), got }];
}

const quoted = (text: string): string => (text === '' ? sentence('fault.no-answer') : `"${text}"`);
const actionName = (action: TestAction): string => sentence(action === 'none' ? 'fault.no-action' : `fault.${action}`);

/**
 * What is compared: case, vowel signs, the tatweel and kinds of spaces do not count, and digits that are spelt one by one
 * (`4 5 2 1`) are the number.
 */
export function plainText(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\u064b-\u065f\u0670\u0640]/g, '')
    .toLowerCase()
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/\s+/g, ' ')
    .replace(/(?<![\d.,:])(\d)(?: \d(?![\d.,:]\d|\d))+/g, (digits) => digits.replaceAll(' ', ''))
    .trim();
}

const TEST = new Script('new RegExp(pattern, "iu").test(text)');
let sandbox: Record<string, string> | undefined;

/** @returns undefined where it takes too long. A process that had no turn in that time tries again. */
function fitsPattern(pattern: string, text: string): boolean | undefined {
  sandbox ??= createContext(Object.create(null) as Record<string, string>);
  sandbox['pattern'] = pattern;
  sandbox['text'] = text;
  const before = process.cpuUsage();
  for (let tried = 0; tried < PATTERN_TRIES_MAX; tried += 1) {
    try {
      return TEST.runInContext(sandbox, { timeout: PATTERN_MS_MAX }) as boolean;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined;
    }
    const { user, system } = process.cpuUsage(before);
    if (user + system > PATTERN_CPU_MS_MAX * 1_000) return undefined;
  }
  return undefined;
}
