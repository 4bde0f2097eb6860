import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files of ten seconds and more on a quiet machine: started last, each would go on alone. Those that wait for the network or a
 * timer stand between those that compute, so that the cores have work all the while.
 */
const LONGEST = [
  ...['sip/drachtio-server', 'sip-server/srf-scenarios', 'engines/stt/pocketsphinx', 'cli/npm-signals'],
  ...['store/embedded-postgres', 'engines/stt/decoder-memory', 'jobs/queues', 'engines/document/answers'],
  ...['sip/integration', 'api/transcribe-socket/slow-readers', 'media/media-plane-limits', 'cli/doctor'],
  ...['billing/call-book', 'engines/reply/scripted-dialogue', 'api/transcribe-socket/spoken-interims'],
  ...['media/media-plane', 'engines/tts/espeak-process', 'api/transcribe-socket/socket', 'engines/no-descriptors'],
  ...['sip-server/unacknowledged-calls', 'cli/command-line', 'media/media-bridge'],
  ...['scenarios/crash', 'scenarios/examples', 'scenarios/ended-calls', 'cli/call', 'scenarios/outage'],
  ...['scenarios/descriptors', 'scenarios/drachtio-gateway', 'scenarios/phone-call', 'scenarios/phone-keys'],
  ...['scenarios/transfer', 'scenarios/reference-page', 'scenarios/every-address', 'scenarios/tokens-in-logs'],
];

/** The order of the test files within a project: a fresh tree has no durations of an earlier run to go by. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const at = LONGEST.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
      return at < 0 ? LONGEST.length : at;
    };
    return (await super.sort(files)).sort((one, other) => place(one) - place(other));
  }
}
