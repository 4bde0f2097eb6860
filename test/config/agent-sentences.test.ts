import { afterEach, describe, expect, it } from 'vitest';
import { loadAgents } from '../../src/config/agents.ts';
import { loadConfig } from '../../src/config/load.ts';
import { loadVoices } from '../../src/config/voices.ts';
import { CompiledAgents } from '../../src/engines/reply/compiled-agent.ts';
import { initialState } from '../../src/engines/reply/dialogue-state.ts';
import { expectationOf } from '../../src/engines/reply/expectation.ts';
import { configFolder, listedProblems } from '../support/config-folder.ts';
import { agentOf } from '../support/reply-agents.ts';

const voices = loadVoices(loadConfig({ env: {} }).paths.voicesFile);
const DESK = `number: "7"
sentencesFile: desk.sentences.tsv
name: Desk
language: en-US
voice: emma
model: sada-1
greeting: { en: Hello. }
intents:
  - { name: track, examples: { en: [track my parcel] }, answer: { en: On its way. } }
knowledge:
  - { question: { en: [when are you open] }, answer: { en: Always. } }
`;
const folders: { remove(): void }[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) folder.remove();
});
function agentsWith(sentences?: string): ReturnType<typeof loadAgents> {
  const files: Record<string, string> = sentences === undefined ? {} : { 'desk.sentences.tsv': sentences };
  const folder = configFolder({ 'desk.yaml': DESK, ...files });
  folders.push(folder);
  return loadAgents(`${folder.dir}/desk.yaml`, voices);
}

describe('sentences beside an agent file', () => {
  it('are understood, and the recogniser does not listen for them', () => {
    const [agent] = agentsWith(
      '# from calls\n\ntrack\tmy gran waits for a box of dates\nwhen are you open\tis anyone in on fridays\n',
    );
    expect(agent?.definition.sentences).toEqual({
      track: ['my gran waits for a box of dates'],
      'when are you open': ['is anyone in on fridays'],
    });
    const compiled = new CompiledAgents().get(agentOf(agent!.definition));
    expect(compiled.guess('my gran waits for a box of dates'.split(' '))[0]?.id).toBe('intent:track');
    expect(compiled.guess('is anyone in on fridays'.split(' '))[0]?.id).toBe('knowledge:0');
    expect(expectationOf(compiled, initialState('en')).hints.phrases.join(' ')).not.toContain('dates');
  });
  it('make talk for nobody less likely to be a wish', () => {
    const without = new CompiledAgents().get(agentOf(agentsWith('track\twhere is it')[0]!.definition));
    const others = ['where is the zebra', 'is the zebra fed', 'my son wants to see the zebra'];
    const rows = others.map((sentence) => `other\t${sentence}`).join('\n');
    const taught = new CompiledAgents().get(agentOf(agentsWith(`track\twhere is it\n${rows}`)[0]!.definition));
    const said = 'where is that zebra'.split(' ');
    expect(taught.guess(said)[0]!.other).toBeGreaterThan(without.guess(said)[0]!.other);
  });
  it('let stories be heard as complaints: regret, and a person', () => {
    const [agent] = agentsWith('complaint\ti waited two hours and nobody looked at me\ntrack\twhere is it\n');
    const compiled = new CompiledAgents().get(agentOf(agent!.definition));
    const [guess] = compiled.guess('we waited two hours and nobody looked at us'.split(' '));
    expect(guess).toMatchObject({ id: 'intent:complaint', meaning: { intent: { action: { type: 'transfer' } } } });
    expect(compiled.menu.map(({ name }) => name)).not.toContain('complaint');
  });
  it.each([
    { name: 'no such file', text: undefined, problem: /desk\.sentences\.tsv cannot be read/ },
    {
      name: 'no tab',
      text: 'track my parcel',
      problem: /desk\.sentences\.tsv:1 expected what is meant, a tab and a sentence/,
    },
    { name: 'a third column', text: 'track\ta\tb', problem: /tsv:1 expected what is meant/ },
    { name: 'a meaning that is not there', text: '\ntrac\twhere is it', problem: /desk\.yaml.*did you mean track\?/ },
  ])('$name: refused', ({ text, problem }) => {
    expect(listedProblems(() => agentsWith(text)).join('\n')).toMatch(problem);
  });
});
