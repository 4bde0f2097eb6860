import { text } from 'node:stream/consumers';
import { readAgentTests } from '../config/agent-tests.ts';
import type { VoiceTestJob } from '../core/agent-tests.ts';
import { errorText } from '../core/errors.ts';
import { textOf } from '../core/notice.ts';
import { runByVoice } from './agents-test-voice.ts';
import { commandContext } from './context.ts';

/**
 * Holds the dialogues of an agent by telephone, for the gateway that started it: one job as JSON on standard input, each result
 * as a line of JSON on standard output, what went wrong on standard error.
 */
const stopped = new AbortController();
process.once('SIGTERM', () => stopped.abort());

try {
  const { yaml, agent, ...wish } = JSON.parse(await text(process.stdin)) as VoiceTestJob;
  const read = readAgentTests(yaml, agent.definition);
  if ('problems' in read) throw new Error(textOf(read.problems[0]!.said));
  await runByVoice(commandContext({}, ['engines']), read.tests, {
    ...{ ...wish, agent, signal: stopped.signal },
    told: (result) => void process.stdout.write(`${JSON.stringify(result)}\n`),
  });
  process.exit(0);
} catch (error) {
  process.stderr.write(`${errorText(error)}\n`);
  process.exit(1);
}
