import { expect, it } from 'vitest';
import { AGENT, rig } from '../support/conversation-rig.ts';

it('tells the reply engine which language the recogniser heard last', async () => {
  const r = rig({ agent: AGENT });
  r.conversation.greet();
  await r.silence(1500);
  for (const language of ['ar', 'en', undefined]) {
    r.stt().language = language;
    await r.say('4 5 2 1');
    await r.silence(2500);
  }
  expect(r.requests.map(({ text, language }) => [text, language])).toEqual([
    ['4 5 2 1', 'ar'],
    ['4 5 2 1', 'en'],
    ['4 5 2 1', undefined],
  ]);
});
