import { expect, it } from 'vitest';
import { openStt } from '../../src/compose/conversation-parts.ts';
import type { Localized } from '../../src/core/agent.ts';
import type { SttOptions } from '../../src/engines/stt/contract.ts';
import { createScriptedStt } from '../../src/engines/stt/scripted.ts';
import { SttByLanguage } from '../../src/engines/stt-by-language.ts';
import { agentOf } from '../support/reply-agents.ts';

it.each<{ greeting: Localized; languages: string[] }>([
  { greeting: { ar: 'حياك الله' }, languages: ['ar-SA'] },
  { greeting: { ar: 'حياك الله', en: 'Welcome' }, languages: ['ar-SA', 'en-US'] },
])(
  'recognisers are told that an agent who greets with $greeting may hear $languages',
  async ({ greeting, languages }) => {
    const asked: SttOptions[] = [];
    const scripted = createScriptedStt({ texts: [] });
    const ears = {
      ...scripted,
      open: (...[options, signal]: Parameters<typeof scripted.open>) => {
        asked.push(options);
        return scripted.open(options, signal);
      },
    };
    const engines = { speechFor: () => ({ hearing: new SttByLanguage({ ar: ears }), speaking: undefined as never }) };
    const agent = agentOf({ name: 'A', language: 'ar-SA', voice: 'v', model: 'sada-1', greeting });
    openStt(engines, agent, { phrases: [], expect: [] }, new AbortController().signal);
    expect(asked.map(({ language, languages: all }) => [language, all])).toEqual([['ar-SA', languages]]);
    await scripted.close();
  },
);
