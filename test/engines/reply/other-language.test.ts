import { describe, expect, it } from 'vitest';
import type { AgentDefinition } from '../../../src/core/agent.ts';
import { createScriptedReplyEngine } from '../../../src/engines/reply/scripted-dialogue.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { agentOf, compiledAgents } from '../../support/reply-agents.ts';
import { Conversation } from '../../support/reply-conversation.ts';

const BOTH: AgentDefinition = {
  ...{ name: 'Both', language: 'ar-SA', voice: 'noura', model: 'sada-1' },
  greeting: { ar: 'حياك الله.', en: 'Welcome.' },
  intents: [
    {
      name: 'book',
      label: { en: 'a visit', ar: 'حجز موعد' },
      examples: { en: ['book a visit'], ar: ['ابغى احجز موعد'] },
      flow: 'book',
    },
  ],
  flows: [
    {
      name: 'book',
      slots: [
        { name: 'who', type: 'name', prompts: { en: ['Your name?'], ar: ['وش اسمك؟'] } },
        {
          name: 'order',
          type: 'digits',
          minDigits: 4,
          maxDigits: 4,
          prompts: { en: ['The number?'], ar: ['كم الرقم؟'] },
        },
      ],
      actions: [{ type: 'say', text: { en: 'Done, {{who}}.', ar: 'تم {{who}}.' } }],
    },
  ],
  knowledge: [
    { question: { en: ['when are you open'], ar: ['متى تفتحون'] }, answer: { en: 'At nine.', ar: 'الساعة تسع.' } },
    {
      question: { en: ['do you take cards'], ar: ['تقبلون بطاقات'] },
      answer: { en: 'Yes, cards.', ar: 'نعم بطاقات.' },
    },
  ],
};
const engine = () => createScriptedReplyEngine({ clock: new FakeClock(), agents: compiledAgents });

/** Answers to what is said, one after the other. */
async function answers(definition: AgentDefinition, said: readonly string[], mode: 'voice' | 'keypad' = 'voice') {
  const reply = engine();
  const agent = agentOf(definition);
  const conversation = new Conversation(reply, agent, mode);
  const texts: string[] = [];
  const asked: (string | undefined)[] = [];
  for (const text of said) {
    texts.push((await conversation.say(text)).text);
    asked.push(reply.expects(agent, conversation.history, {}).hints.language);
  }
  return { texts, asked };
}

describe('the language of answers', () => {
  it.each([
    {
      name: 'a sentence is answered in its own',
      said: ['when are you open', 'متى تفتحون', 'when are you open'],
      texts: ['At nine.', 'الساعة تسع.', 'At nine.'],
    },
    {
      name: 'the number that was asked for, a name in other letters',
      said: ['ابغى احجز موعد', 'Ahmed Ali', 'four five two one'],
      texts: ['وش اسمك؟', 'كم الرقم؟', /^تم Ahmed Ali\./],
    },
    {
      name: 'digits in a call that is English by now',
      said: ['book a visit', 'محمد العتيبي', '٤٥٢١'],
      texts: ['Your name?', 'The number?', /^Done/],
    },
  ])('$name', async ({ said, texts }) => {
    const { texts: given } = await answers(BOTH, said);
    expect(given).toEqual(texts.map((text) => (typeof text === 'string' ? text : expect.stringMatching(text))));
  });

  it.each(['ok', 'yes', 'email', 'thanks', 'booking'])(
    'stays Arabic when somebody says %s in the middle',
    async (word) => {
      const { texts } = await answers(BOTH, ['متى تفتحون', word]);
      expect(texts[1]).toMatch(/[؀-ۿ]/);
      expect(texts[1]).not.toMatch(/[a-z]{3}/i);
    },
  );

  it('one word is enough at the beginning', async () => {
    const { texts } = await answers(BOTH, ['booking']);
    expect(texts[0]).toMatch(/^[A-Z]/);
  });
});

describe('a wish for a language', () => {
  it('is granted at once, and the recogniser is told of it, once', async () => {
    const { texts, asked } = await answers(BOTH, [
      'انجليزي لو سمحت',
      'when are you open',
      'عربي لو سمحت',
      'متى تفتحون',
    ]);
    expect(texts).toEqual(['Of course. How can I help you?', 'At nine.', 'أبشر. كيف أقدر أخدمك؟', 'الساعة تسع.']);
    expect(asked).toEqual(['en', undefined, 'ar', undefined]);
  });

  it('in the middle of something asks for it again in that language, and what was said so far is kept', async () => {
    const said = ['ابغى احجز موعد', 'محمد', 'ممكن انجليزي', '4521'];
    const { texts } = await answers(BOTH, said);
    expect(texts.slice(0, 3)).toEqual(['وش اسمك؟', 'كم الرقم؟', 'Of course. The number?']);
    expect(texts[3]).toMatch(/^Done/);
  });

  it('for a language that the agent lacks means nothing to it, for its own is granted', async () => {
    const { greeting: _, ...rest } = BOTH;
    const { texts, asked } = await answers({ ...rest, greeting: { ar: 'حياك الله.' } }, [
      'انجليزي لو سمحت',
      'تتكلم عربي؟',
    ]);
    expect(texts[0]).not.toContain('Of course');
    expect(texts[1]).toBe('أبشر. كيف أقدر أخدمك؟');
    expect(asked).toEqual([undefined, 'ar']);
  });

  it.each(['voice', 'keypad'] as const)('by the key after those of the menu, %s', async (mode) => {
    const { texts, asked } = await answers(BOTH, ['2', 'when are you open'], mode);
    expect(texts[0]).toMatch(mode === 'voice' ? /^Of course\. How can I help/ : /^Of course\./);
    expect(texts[1]).toContain('At nine.');
    expect(asked[0]).toBe('en');
  });

  it('the menu names the key', async () => {
    const reply = engine();
    const { greeting: _, ...rest } = BOTH;
    expect(reply.greeting(agentOf(BOTH), {}, 'keypad')).toContain('للإنجليزية، اضغط اثنين');
    expect(reply.greeting(agentOf({ ...rest, greeting: { ar: 'حياك الله.' } }), {}, 'keypad')).not.toContain(
      'للإنجليزية',
    );
    expect(reply.greeting(agentOf({ ...BOTH, language: 'en-US' }), {}, 'keypad')).toContain('For Arabic, press 2.');
  });
});
