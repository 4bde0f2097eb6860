import { afterEach, beforeEach, expect, it } from 'vitest';
import { silentLogger } from '../../../src/core/logger.ts';
import { ChatClient } from '../../../src/engines/openai/chat-client.ts';
import { authored } from '../../../src/engines/privacy/outbound.ts';
import { ElevenlabsTts } from '../../../src/engines/providers/elevenlabs/elevenlabs-tts.ts';
import { OpenaiTts } from '../../../src/engines/providers/openai/speech.ts';
import { ttsRequest } from '../../conformance/tts.ts';
import { ChatTestServer, chunk, streaming } from '../../support/chat-server.ts';
import { collectGarbage } from '../../support/collect-garbage.ts';
import { ElevenlabsTestServer } from '../../support/elevenlabs-server.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { meanwhile } from '../../support/passing-time.ts';
import { someOf } from '../../support/property-runs.ts';
import { SpeechTestServer } from '../../support/speech-server.ts';
import { until } from '../../support/until.ts';

let clock: FakeClock;
let chat: ChatTestServer;
let speech: SpeechTestServer;
let eleven: ElevenlabsTestServer;
beforeEach(async () => {
  clock = new FakeClock();
  [chat, speech, eleven] = await Promise.all([
    ...([ChatTestServer.start(), SpeechTestServer.start(), ElevenlabsTestServer.start()] as const),
  ]);
  chat.answer = (response) => void streaming(response).write(chunk({ content: 'Well,' }));
  speech.failNextAt('/speech', { type: 'stall', afterBytes: 4_801 });
  eleven.failSpeaking({ type: 'stall', afterBytes: 801 });
});
afterEach(() => Promise.all([chat, speech, eleven].map((server) => server.close())));

const deps = () => ({ clock, logger: silentLogger, used: () => {} });
/** Answers that begin and never end. */
const ANSWERS = {
  'a chat model': (signal: AbortSignal) =>
    new ChatClient({ baseUrl: chat.baseUrl, model: 'm' }, deps()).chat(
      { messages: [{ role: 'user', content: authored('Hello?') }], maxTokens: 9, temperature: 0 },
      signal,
    ),
  'the voice of openai': (signal: AbortSignal) =>
    new OpenaiTts(speech.settings, deps()).synthesize(ttsRequest(), signal),
  'the voice of elevenlabs': (signal: AbortSignal) =>
    new ElevenlabsTts(eleven.settings, deps()).synthesize(ttsRequest(), signal),
} as const;
const hungUp = (): number => chat.hungUp + speech.hungUp + (eleven.speaking === 0 ? 1 : 0);

it.each(
  someOf(
    Object.entries(ANSWERS).flatMap(([name, answer]) =>
      (['nobody wants it any more', 'it takes too long'] as const).map((why) => ({ name, answer, why })),
    ),
    3,
  ),
)(
  'an answer of $name ends, and its connection too, when $why, also after the garbage was collected',
  async ({ answer, why }) => {
    const abort = new AbortController();
    const state = { begun: false, ended: false, error: undefined as unknown };
    void (async () => {
      try {
        for await (const _ of answer(abort.signal)) state.begun = true;
      } catch (error) {
        state.error = error;
      }
      state.ended = true;
    })();
    await until(() => state.begun);
    const before = hungUp();
    for (let n = 0; n < 2; n += 1) {
      collectGarbage();
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (why === 'nobody wants it any more') abort.abort();
    await meanwhile(clock, () => state.ended);
    expect(state.error === undefined).toBe(why === 'nobody wants it any more');
    await until(() => hungUp() > before);
  },
);
