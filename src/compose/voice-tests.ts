import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { DialogueResult, VoiceTestJob } from '../core/agent-tests.ts';
import type { Clock } from '../core/clock.ts';
import type { RunWish, TestDeskDeps } from '../manage/test-desk.ts';
import type { NumberRows } from '../store/numbers.ts';
import type { OwnTests } from '../trunks/own-tests.ts';

const PROGRAM = fileURLToPath(new URL('../cli/voice-tests-process.js', import.meta.url));
/** Longest run; what is not held by then is not held. */
const RUN_MS_MAX = 60 * 60_000;
/** After it was asked to end: it hangs up first. */
const END_MS_MAX = 10_000;
const FAULT_CHARS_MAX = 2_000;

export interface VoiceTestsDeps {
  readonly numbers: NumberRows;
  readonly clock: Clock;
  readonly ownTests: OwnTests;
  /** `host:port` that callers of this machine dial; undefined where there is none. */
  readonly sipAddress: () => string;
}

/**
 * Tests by telephone in a process of their own: a caller's audio takes a thread's time every 20 ms, and must neither wait for our
 * calls nor have them wait.
 */
export function voiceTests(deps: VoiceTestsDeps): NonNullable<TestDeskDeps['byVoice']> {
  return async (yaml, agent, _tests, wish) => {
    const number = (await deps.numbers.list(agent.accountId)).find(
      ({ agentId, enabled }) => agentId === agent.id && enabled,
    )?.number;
    if (number === undefined) throw new Error('the agent has no number to be called at');
    const pass = deps.ownTests.letIn();
    const job: VoiceTestJob = {
      ...{ number, agent, yaml, sipAddress: deps.sipAddress(), headers: pass.headers },
      ...(wish.only && { only: wish.only }),
    };
    try {
      return await runProcess(job, wish, deps.clock);
    } finally {
      pass.end();
    }
  };
}

async function runProcess(job: VoiceTestJob, wish: RunWish, clock: Clock): Promise<readonly DialogueResult[]> {
  const child = spawn(process.execPath, [PROGRAM], { stdio: ['pipe', 'pipe', 'pipe'] });
  const results: DialogueResult[] = [];
  let fault = '';
  child.stderr.on('data', (chunk) => {
    fault = `${fault}${chunk}`.slice(-FAULT_CHARS_MAX);
  });
  child.stdin.on('error', () => undefined); // it ended before it had read
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => {
    const result = JSON.parse(line) as DialogueResult;
    results.push(result);
    wish.told(result);
  });
  const stop = (): void => void endOf(child, clock);
  const limit = clock.setTimer(RUN_MS_MAX, stop);
  wish.signal.addEventListener('abort', stop, { once: true });
  if (wish.signal.aborted) stop();
  try {
    child.stdin.end(JSON.stringify(job));
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject).once('close', resolve);
    });
    if (code !== 0) throw new Error(fault.trim().split('\n').at(-1) || 'the caller of the tests died');
    return results;
  } finally {
    clock.clearTimer(limit);
    wish.signal.removeEventListener('abort', stop);
    lines.close();
  }
}

function endOf(child: ChildProcess, clock: Clock): void {
  child.kill('SIGTERM');
  const last = clock.setTimer(END_MS_MAX, () => child.kill('SIGKILL'));
  child.once('close', () => clock.clearTimer(last));
}
