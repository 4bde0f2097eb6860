import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { readWav } from '../../../src/audio/wav.ts';
import { menuText } from '../../../src/engines/reply/keypad.ts';
import { hasCommand } from '../../support/caller-voice.ts';
import { Heard } from '../../support/heard.ts';
import { agentFromConfig, compiledAgents } from '../../support/reply-agents.ts';

/** The rule for callers, and what the silence between sentences takes. */
const MENU_S_MAX = 12;
/** Of these agents' voices. */
const VOICES = { en: ['en-us+f3', '160'], ar: ['ar+f2', '150'] } as const;

/** Seconds a synthesiser takes to say it, sentence by sentence, without the silence around them. */
function spokenSeconds(text: string, language: 'en' | 'ar'): number {
  const [voice, wordsPerMinute] = VOICES[language];
  return text.split(/(?<=\.) /).reduce((sum, sentence) => {
    const wav = readWav(execFileSync('espeak-ng', ['-v', voice, '-s', wordsPerMinute, '--stdout', sentence]));
    if (typeof wav === 'string') throw new Error(wav);
    const stretches = new Heard(wav.channels[0]!, wav.sampleRateHz).stretches();
    return sum + stretches.at(-1)!.toS - stretches[0]!.fromS;
  }, 0);
}

describe('a menu of keys', () => {
  it.skipIf(!hasCommand('espeak-ng')).each([
    { name: 'English', agent: compiledAgents.get(agentFromConfig('delivery-en')), language: 'en' as const, entries: 5 },
    { name: 'Arabic', agent: compiledAgents.get(agentFromConfig('clinic-ar')), language: 'ar' as const, entries: 4 },
  ])(
    'is said in 12 s, $name: what takes longer is behind nine, and nothing is left out',
    ({ agent, language, entries }) => {
      const pages = [0, 1, 2, 3].map((page) => menuText(agent, language, page)).filter((text) => text !== '');
      expect(pages.length).toBeGreaterThan(1);
      for (const page of pages) expect(spokenSeconds(page, language)).toBeLessThan(MENU_S_MAX);
      const offered = agent.menu.length;
      expect(offered).toBe(entries);
      const keys = pages.join(' ').match(language === 'en' ? /press \d/g : /اضغط (واحد|اثنين|ثلاثة|أربعة)\./g);
      expect(keys?.length).toBe(entries);
    },
  );
});
