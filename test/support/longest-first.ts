import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files of ten seconds and more on a quiet machine: started last, each would go on alone. Those that wait for the network or a
 * timer stand between those that compute, so that the cores have work all the while.
 */
const LONGEST = [
  ...[
    'scenarios/crash',
    'scenarios/outage',
    'scenarios/examples',
    'scenarios/reference-page',
    'scenarios/tokens-in-logs',
  ],
  ...['scenarios/descriptors', 'scenarios/public-api', 'scenarios/socket-browser'],
  ...['sip/drachtio-server', 'sip-server/srf-scenarios', 'engines/stt/pocketsphinx', 'cli/npm-signals'],
  ...['store/embedded-postgres', 'engines/stt/decoder-memory', 'jobs/queues', 'engines/stt/recogniser-process'],
  ...['sip/integration', 'api/transcribe-socket/slow-readers', 'media/media-plane-limits', 'cli/doctor'],
  ...['billing/call-book', 'engines/document/retrieval-reader', 'api/transcribe-socket/spoken-interims'],
  ...['media/media-plane', 'engines/tts/espeak-process', 'api/transcribe-socket/socket', 'engines/no-descriptors'],
  ...['sip-server/unacknowledged-calls', 'cli/command-line', 'media/media-bridge'],
  ...[
    'cli/call',
    'scenarios/phone-call',
    'scenarios/phone-keys',
    'sums',
    'scenarios/drachtio-gateway',
    'scenarios/every-address',
  ],
  ...['scenarios/transfer', 'scenarios/ended-calls'],
  ...['engines/reply/dialogues', 'engines/reply/dialogue-properties', 'engines/text/redact/redactor-properties'],
  ...['engines/document/answers', 'engines/reply/rounds', 'engines/reply/scripted-dialogue'],
  ...['engines/text/normalize/labelled-sentences', 'engines/document/hostile-files'],
];

/** The order of the test files within a project: a fresh tree has no durations of an earlier run to go by. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // A worker serves one project: those of another one in a row, beside what waits longest, or each would need a new worker.
    const place = ({ moduleId, project }: TestSpecification): number => {
      const own = LONGEST.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
      const at = own < 0 ? LONGEST.length : own;
      return project.name === 'sums' ? LONGEST.indexOf('sums') + at / (LONGEST.length + 1) : at;
    };
    return (await super.sort(files)).sort((one, other) => place(one) - place(other));
  }
}
