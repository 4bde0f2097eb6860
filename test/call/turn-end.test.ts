import { describe, expect, it } from 'vitest';
import { type RigOptions, rig, SPEECH_LEVEL } from '../support/conversation-rig.ts';
import { ScriptedTurnEnd } from '../support/scripted-turn-end.ts';

const DELAYS = { endpointingMinMs: 300, endpointingMs: 600, endpointingMaxMs: 2000 };
/** Words that say nothing of whether more comes. */
const WORDS = 'purple elephants dance';

function call(model: ScriptedTurnEnd, acts: boolean, options: RigOptions = {}) {
  return rig({ ...options, settings: { ...DELAYS, ...options.settings }, turnEnd: model.parts(acts) });
}
type Call = ReturnType<typeof call>;

async function greeted(c: Call): Promise<Call> {
  c.conversation.greet();
  await c.silence(1000);
  return c;
}

/** Milliseconds of silence until the turn was answered. */
async function answered(c: Call): Promise<number> {
  const before = c.requests.length;
  for (let ms = 0; ms < 5000; ms += 20) {
    if (c.requests.length > before) return ms;
    await c.silence(20);
  }
  return expect.fail('it was not answered');
}
const caller = (c: Call) => c.turns.filter(({ role }) => role === 'caller');
const agent = (c: Call) => c.turns.filter(({ role }) => role === 'agent');

describe('a model that judges pauses', () => {
  it('hears the whole turn once a pause, when the speech is over', async () => {
    const model = new ScriptedTurnEnd([0.2, 0.9]);
    const c = await greeted(call(model, false));
    await c.say('I want', 400);
    await c.silence(300);
    await c.say(WORDS, 400);
    await answered(c);
    expect(model.asked.map(({ sampleRateHz }) => sampleRateHz)).toEqual([8000, 8000]);
    const loud = model.asked.map(({ samples }) => samples.filter((sample) => sample >= SPEECH_LEVEL).length / 8);
    expect(loud).toEqual([400, 800]);
    const [first, second] = model.asked.map(({ samples }) => samples.length / 8);
    expect(second! - first!).toBe(700); // the pause and the words after it
    expect(model.asked[1]!.samples.slice(-8 * 200)).toEqual(new Int16Array(8 * 200));
  });

  it('hears nothing of the turns before', async () => {
    const model = new ScriptedTurnEnd([0.2, 0.9, 0.9]);
    const c = await greeted(call(model, false));
    await c.say('I want', 400);
    await c.silence(300);
    await c.say(WORDS, 400);
    await c.silence(3000);
    await c.say('green ones sing', 600);
    await c.silence(3000);
    const last = model.asked[2]!.samples;
    expect(last.filter((sample) => sample >= SPEECH_LEVEL).length / 8).toBe(600);
    expect(last.length / 8).toBeLessThan(1200);
    expect(caller(c)[0]!.details).toHaveProperty('pauses');
    expect(caller(c)[1]!.details).not.toHaveProperty('pauses');
  });

  it('hears the end of a turn that is long', async () => {
    const model = new ScriptedTurnEnd([0.9]);
    const c = await greeted(call(model, false));
    await c.say(WORDS, 22_000);
    await answered(c);
    const [{ samples }] = model.asked as [(typeof model.asked)[0]];
    expect(samples.length).toBe(8 * 8000);
    expect(samples.filter((sample) => sample >= SPEECH_LEVEL).length).toBe(8 * 7800);
  });

  it.each([
    { says: 0.9, ms: 300 },
    { says: 0.1, ms: 2000 },
  ])('moves the end of a turn whose words may be all: $says', async ({ says, ms }) => {
    const c = await greeted(call(new ScriptedTurnEnd([says]), true));
    await c.say(WORDS);
    const waited = await answered(c);
    expect(waited).toBeGreaterThanOrEqual(ms);
    expect(waited).toBeLessThanOrEqual(ms + 60);
  });

  it.each([
    { name: 'in shadow, complete', model: new ScriptedTurnEnd([0.9]), acts: false },
    { name: 'in shadow, incomplete', model: new ScriptedTurnEnd([0.1]), acts: false },
    { name: 'without an answer', model: new ScriptedTurnEnd([]), acts: true },
    { name: 'too late: complete', model: new ScriptedTurnEnd([0.9], 160), acts: true },
    { name: 'too late: incomplete', model: new ScriptedTurnEnd([0.1], 160), acts: true },
    { name: 'dead', model: new ScriptedTurnEnd([new Error('gone')]), acts: true },
  ])('leaves the pause as it is: $name', async ({ model, acts }) => {
    const plain = await greeted(rig({ settings: DELAYS }));
    await plain.say(WORDS);
    const c = await greeted(call(model, acts));
    await c.say(WORDS);
    expect(await answered(c)).toBe(await answered(plain as Call));
  });

  it('is left alone when the caller goes on before it answers', async () => {
    const model = new ScriptedTurnEnd([]);
    const c = await greeted(call(model, true));
    await c.say('I want', 400);
    await c.silence(240);
    await c.say(WORDS, 400);
    expect(model.left).toEqual([0]);
    expect(model.settled).toEqual([{ language: 'en', said: 'late', truth: 'went-on' }]);
  });

  it('is not asked about a voice over the answer, nor on the keypad', async () => {
    const model = new ScriptedTurnEnd([0.9, 0.9]);
    const c = await greeted(call(model, true));
    await c.say(WORDS);
    await answered(c);
    await c.say('okay', 300);
    expect(model.asked).toHaveLength(1);
    for (const key of '4521#') c.conversation.onDigit(key);
    await c.silence(3000);
    expect(model.asked).toHaveLength(1);
  });
});

describe('what a pause was', () => {
  it('is in the record: those inside with the turn, that of its end with the answer', async () => {
    const model = new ScriptedTurnEnd([0.2, 0.904]);
    const c = await greeted(call(model, false));
    await c.say('I want', 400);
    await c.silence(300);
    await c.say(WORDS, 400);
    await c.silence(3000);
    expect(caller(c)[0]!.details!.pauses).toEqual([
      { language: 'en', said: 'incomplete', probability: 0.2, ms: 40, truth: 'went-on' },
    ]);
    expect(agent(c).at(-1)!.details!.pause).toEqual({
      ...{ language: 'en', said: 'complete', probability: 0.9, ms: 40, truth: 'over' },
      waited: expect.any(Number),
    });
    // 600 ms of pause, of which 200 were over when it was asked, and 40 when it answered.
    expect(agent(c).at(-1)!.details!.pause!.waited).toBeGreaterThanOrEqual(320);
    expect(agent(c).at(-1)!.details!.pause!.waited).toBeLessThanOrEqual(380);
    expect(agent(c)[0]!.details).toBeUndefined(); // a greeting answers nothing
    c.conversation.close();
    expect(model.settled.map(({ truth }) => truth)).toEqual(['went-on', 'over']);
  });

  it('is a cut where the caller goes on before anything is heard of the answer: one turn, with it inside', async () => {
    let free = (): void => {};
    const answerAfter = new Promise<void>((resolve) => {
      free = resolve;
    });
    const model = new ScriptedTurnEnd([0.1, 0.9]);
    const c = await greeted(call(model, false, { answerAfter }));
    await c.say('I want', 400);
    await answered(c);
    await c.say(WORDS, 400);
    free();
    await c.silence(3000);
    expect(caller(c)).toHaveLength(1);
    expect(caller(c)[0]!.details!.pauses).toMatchObject([{ said: 'incomplete', truth: 'cut' }]);
    expect(agent(c).at(-1)!.details!.pause).toMatchObject({ said: 'complete', truth: 'over' });
    expect(model.settled.map(({ truth }) => truth)).toEqual(['cut']);
  });

  const long = () =>
    [{ type: 'text', text: 'one two three four five six seven eight nine ten '.repeat(4), language: 'en' }] as const;
  it.each([
    { name: 'soon', afterMs: 400, truth: 'cut' },
    { name: 'when it can be an answer to the answer', afterMs: 1100, truth: 'over' },
  ])('is told by when the caller speaks over the answer: $name', async ({ afterMs, truth }) => {
    const model = new ScriptedTurnEnd([0.1, 0.9]);
    const c = await greeted(call(model, false, { answer: long, settings: { endpointingMaxMs: 3000 } }));
    await c.say(WORDS, 600);
    await answered(c);
    await c.silence(afterMs);
    await c.say('no wait stop please', 700);
    await c.silence(200);
    const cut = agent(c).at(-1)!;
    expect(cut.details!.interruptedMs).toBeDefined();
    expect(cut.details!.pause).toMatchObject({ truth });
    await c.silence(3000);
    expect(model.settled[0]).toMatchObject({ truth });
    expect(caller(c).at(-1)!.details).not.toHaveProperty('pauses'); // of another turn
  });

  it('is not known where the call ends at once, or where it was no turn', async () => {
    const model = new ScriptedTurnEnd([0.9, 0.9, 0.9]);
    const c = await greeted(call(model, false));
    await c.say('', 200); // a sound
    await c.silence(2000);
    expect(model.asked).toHaveLength(1);
    await c.say(WORDS);
    await answered(c);
    c.conversation.close();
    expect(model.asked).toHaveLength(2);
    expect(model.settled).toEqual([]);
  });

  it('is told in the language that was heard', async () => {
    const model = new ScriptedTurnEnd([0.9]);
    const c = await greeted(call(model, false));
    c.stt().language = 'ar-SA';
    await c.say(WORDS);
    await answered(c);
    await c.silence(3000);
    c.conversation.close();
    expect(model.settled).toMatchObject([{ language: 'ar' }]);
  });
});
