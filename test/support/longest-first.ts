import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files of some seconds and more, whole calls by themselves: started last, each would go on alone. Those that wait for the network
 * or a timer stand between those that compute, so that the cores have work all the while.
 */
const LONGEST = [
  ...['toll-fraud', 'encrypted-call', 'phone-keys', 'scenarios/transfer', 'scenarios/announced-transfer'],
  ...['outgoing-call', 'streams', 'cli/call', 'tls-call', 'phone-call', 'drachtio-gateway', 'agent-calls'],
  ...['dial-pace', 'registrar-trunk', 'ended-calls', 'every-address'],
  ...['examples', 'scenarios/crash', 'outage', 'scenarios/descriptors', 'tokens-in-logs', 'reference-page'],
  ...['socket-browser', 'public-api'],
  ...['sip/drachtio-server', 'stt/pocketsphinx', 'media/media-plane-limits', 'normalize/labelled-sentences'],
  ...['sip-server/srf-scenarios', 'cli/npm-signals', 'media/media-plane', 'reply/rounds', 'media/media-bridge'],
  ...['document/answers', 'sip/integration', 'reply/dialogues', 'outbound/dialling', 'stt/decoder-memory'],
  ...['store/embedded-postgres', 'billing/call-book', 'cli/doctor', 'sip/phones', 'api/streams/talk-socket'],
  ...['sip/proved-callers', 'stt/recogniser-process', 'privacy/nothing-leaves', 'transcribe-socket/slow-readers'],
  ...['sip-server/unacknowledged-calls', 'cli/command-line', 'media/media-port', 'codecs/clip-decoder'],
  ...['message/hostile-input', 'tts/espeak-process', 'stt/recogniser', 'reply/handover', 'jobs/queues'],
  ...['engines/no-descriptors', 'document/retrieval-reader', 'transcribe-socket/spoken-interims'],
];

/** The order of the test files within a project: a fresh tree has no durations of an earlier run to go by. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const own = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
      return own < 0 ? LONGEST.length : own;
    };
    return (await super.sort(files)).sort((one, other) => place(one) - place(other));
  }
}
