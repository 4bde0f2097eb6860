import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files of ten seconds and more on a quiet machine, the longest first: started last, each would go on alone. */
const LONGEST = [
  ...['sip/drachtio-server', 'sip-server/srf-scenarios', 'store/embedded-postgres', 'jobs/queues', 'sip/integration'],
  ...['cli/npm-signals', 'media/media-plane-limits', 'engines/stt/pocketsphinx', 'api/transcribe-socket/slow-readers'],
  ...['billing/call-book', 'engines/stt/decoder-memory', 'api/transcribe-socket/spoken-interims', 'media/media-plane'],
  ...['api/transcribe-socket/socket', 'sip-server/unacknowledged-calls', 'cli/doctor', 'engines/tts/espeak-process'],
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
