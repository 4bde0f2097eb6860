import { expect, it } from 'vitest';
import { PHRASES } from '../../src/call/phrases.ts';
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

it('its own words are in the language of its last answer', async () => {
  const answers = ['حياك الله.', 'Welcome back.'];
  const r = rig({
    agent: AGENT,
    answer: ({ text }) => {
      if (text === 'x') return new Error('away');
      const said = answers.shift()!;
      return [{ type: 'text', text: said, language: /[a-z]/.test(said) ? 'en' : 'ar' }];
    },
  });
  r.conversation.greet();
  await r.silence(1500);
  for (const text of ['متى تفتحون', 'x', 'hello again there', 'x']) {
    await r.say(text);
    await r.silence(3500);
  }
  const own = r
    .said()
    .filter((line) => line === `agent: ${PHRASES.trouble.ar}` || line === `agent: ${PHRASES.trouble.en}`);
  expect(own).toEqual([`agent: ${PHRASES.trouble.ar}`, `agent: ${PHRASES.trouble.en}`]);
});
