/**
 * What is understood in each state of a dialogue: a sentence is spoken by machine voices and recognised with what the agent
 * expects there. It counts as understood when the agent answers it as it answers the typed sentence, as wrong when it answers
 * as to something else.
 */
import { withBackchannels } from '../../../dist/call/barge-in.js';
import { BACKCHANNELS } from '../../../dist/core/backchannels.js';
import { takeTurn } from '../../../dist/engines/reply/dialogue.js';
import { initialState } from '../../../dist/engines/reply/dialogue-state.js';
import { expectationOf } from '../../../dist/engines/reply/expectation.js';
import { DEFAULT_LIMITS } from '../../../dist/engines/reply/scripted-dialogue.js';
import { SUNDAY_AT_TEN, shippedAgent } from '../shipped-agent.mjs';
import { clipSamples, clips, say, voices } from './voices.mjs';

/** What was said before, and what is said then. */
const STATES = [
  {
    name: 'open',
    before: [],
    said: ['where is my order', 'track order four five two one', 'cancel my order and change my address',
      'track my order and what are your opening hours', 'can i speak to someone', 'what can you do'],
  },
  {
    name: 'order number',
    before: ['track my order'],
    said: ['four five two one', "it's four five two one please", 'talk to a human please', 'can you repeat that', 'help me', 'never mind',
      'what are your opening hours', 'where do i find my order number', 'i want to cancel my order', 'sorry seven seven eight eight',
      'wait where is your office', 'um four five two one', 'four five two one and when are you open'],
  },
  {
    name: 'owner',
    before: ['cancel order 4522'],
    said: ['sara naser', "it's sara naser", 'yes', 'no', 'no seven seven eight eight', 'no four five two one', 'talk to a human please',
      'say that again', 'never mind', 'what are your opening hours', 'yes but first tell me when are you open'],
  },
  {
    name: 'day',
    before: ['i missed my delivery', '4521', 'sami haddad'],
    said: ['tomorrow', 'next monday', 'on tuesday please', 'no order seven seven eight eight', 'what was that', 'speak to a human', 'stop',
      'do you deliver to other cities', 'monday but how much is the delivery', 'the fifth of december', 'never mind'],
  },
  {
    name: 'choice',
    before: ['i missed my delivery', '4521', 'sami haddad', 'tomorrow'],
    said: ['in the morning', 'the evening please', 'no monday', 'say that again', 'talk to an agent', 'i want to change my address',
      'afternoon but how can i pay', 'no thank you'],
  },
  {
    name: 'read-back',
    before: ['cancel order 4522', 'sara naser'],
    said: ['yes', 'no', 'yes please', 'no thank you', "that's right", 'yes but first tell me how long does a refund take',
      'yes but when are you open', 'okay but how much is the delivery', 'no four five two one', "no it's four five two one",
      'no i want to change my address', 'yes and where is your office', 'no i meant seven seven eight eight', 'no do not cancel it',
      'speak to a human', 'say that again', 'never mind', 'yes but wait how do i return an item', 'wait when do i get my refund',
      'sorry what was that', 'yes do it', 'no wait four five two one', 'no leave it'],
  },
  {
    name: 'yes or no',
    before: ['my package is damaged', '4521'],
    said: ['yes', 'no', 'a new one please', 'my money back', 'yes but how long does delivery take', 'no i want a refund', 'repeat that',
      'talk to a person', 'yes send me another one'],
  },
  {
    name: 'phone read-back',
    before: ['my package is damaged', '4521', 'yes', '0551234567'],
    said: ['yes', "that's correct", 'no', 'no zero five five seven six five four three two one', 'what did you say', 'human please'],
  },
]; // biome-ignore format: a table
const ELSEWHERE = [
  'the weather is lovely in the mountains today',
  'my cat jumped over the garden wall',
  'please play some jazz music in the kitchen',
  'I like pizza with mushrooms and cheese',
  'turn the volume down a little the baby sleeps',
];

/** Digits said one by one are typed as digits. */
const DIGITS = { zero: 0, one: 1, two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7, eight: 8, nine: 9 };
const spoken = new Map(); // the same sentence is said in several states
const saidBy = (voice, text) => {
  const key = `${voice.name}: ${text}`;
  if (!spoken.has(key)) spoken.set(key, say(voice, text));
  return spoken.get(key);
};
const typed = (text) =>
  text.replace(
    new RegExp(`\\b(?:${Object.keys(DIGITS).join('|')})\\b( (?=(?:${Object.keys(DIGITS).join('|')})\\b))?`, 'g'),
    (word) => DIGITS[word.trim()],
  );

const deliveryLine = () => shippedAgent('delivery-en');
const hintsOf = (agent, state) => withBackchannels(expectationOf(agent, state).hints, BACKCHANNELS.en);

/** What the delivery line listens for when nothing was said yet: one of its largest grammars. */
export const firstHints = () => hintsOf(deliveryLine(), initialState('en'));

/** @param recognise - samples and hints in, the final out. */
export async function byState(recognise, { verbose, only }) {
  const agent = deliveryLine();
  const speakers = voices().filter(({ name }) =>
    ['espeak en-us', 'flite slt', 'flite rms', 'flite kal'].includes(name),
  );
  const total = { understood: 0, of: 0, wrong: 0 };
  const strangers = { taken: 0, of: 0, acted: 0 };
  const foreign = clips()
    .filter((clip) => ['read', 'command', 'order'].includes(clip.kind))
    .slice(0, 24);
  for (const { name, before, said } of STATES.filter((state) => !only || state.name === only)) {
    const state = before.reduce((so, text) => takeTurn(agent, so, text, SUNDAY_AT_TEN).state, initialState('en'));
    const hints = hintsOf(agent, state);
    const answer = (text, confidence = 1) => {
      const trusted = confidence >= DEFAULT_LIMITS.trustedConfidence;
      const { lines, action } = takeTurn(agent, state, text, { ...SUNDAY_AT_TEN, trusted });
      return `${lines.map((line) => line.text).join(' ')} ${action?.type ?? ''}`;
    };
    const none = [answer(''), answer('?')];
    const isAnswered = (heard) => heard.text !== '' && !none.includes(answer(heard.text, heard.confidence));
    const row = { understood: 0, of: 0, wrong: 0 };
    const misses = [];
    for (const text of said) {
      for (const voice of speakers) {
        const heard = await recognise(saidBy(voice, text), hints);
        const good = heard.text !== '' && answer(heard.text, heard.confidence) === answer(typed(text));
        row.of += 1;
        if (good) row.understood += 1;
        else if (isAnswered(heard)) row.wrong += 1;
        if (!good) misses.push(`${text} | ${voice.name}: ${heard.text || 'nothing'} (${heard.confidence.toFixed(2)})`);
      }
    }
    const outside = { taken: 0, acted: 0, of: 0 };
    const strange = [];
    const stranger = async (text, samples) => {
      const heard = await recognise(samples, hints);
      outside.of += 1;
      if (heard.text === '') return;
      outside.taken += 1;
      if (isAnswered(heard)) outside.acted += 1;
      strange.push(`${text}: ${heard.text} (${heard.confidence.toFixed(2)})`);
    };
    for (const text of ELSEWHERE) for (const voice of speakers.slice(0, 2)) await stranger(text, saidBy(voice, text));
    for (const clip of foreign) await stranger(clip.file, clipSamples(clip.file));
    console.log(
      `${name.padEnd(16)} understood ${String(row.understood).padStart(3)}/${row.of}, something else ${row.wrong}; ` +
        `of other speech taken ${outside.taken}/${outside.of}, answered ${outside.acted}`,
    );
    if (verbose) for (const line of [...misses, ...strange.map((one) => `other: ${one}`)]) console.log(`    ${line}`);
    for (const key of Object.keys(total)) total[key] += row[key];
    for (const key of Object.keys(outside)) strangers[key] += outside[key];
  }
  const percent = (n, of) => `${n}/${of} (${Math.round((100 * n) / of)} %)`;
  console.log(
    `all states: understood ${percent(total.understood, total.of)}, something else ${percent(total.wrong, total.of)}, ` +
      `of other speech taken ${percent(strangers.taken, strangers.of)}, answered ${percent(strangers.acted, strangers.of)}`,
  );
}
