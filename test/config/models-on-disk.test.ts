import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { loadVoices } from '../../src/config/voices.ts';
import { configFolder, listedProblems } from '../support/config-folder.ts';

const load = (engines: string) => {
  const folder = configFolder({ 'nidaa.yaml': `dataDir: /srv/nidaa\nengines:\n${engines}` });
  try {
    return loadConfig({ env: {}, configDir: folder.dir, cwd: folder.dir });
  } finally {
    folder.remove();
  }
};

describe('models on disk, in the configuration', () => {
  it('have their settings, and know where models are installed', () => {
    const text = `  stt: { ar: sherpa }
  sherpa:
    ears: [{ model: zipformer-ar, kind: streaming-transducer, languages: [ar, en], files: { tokens: words.txt } }]
`;
    const settings = (load(text).engines as unknown as Record<string, unknown>)['sherpa'];
    expect(settings).toEqual({
      ...{ threads: 1, idleMinutes: 0, voices: [], modelsDir: '/srv/nidaa/models' },
      ears: [
        {
          ...{ model: 'zipformer-ar', kind: 'streaming-transducer', languages: ['ar', 'en'] },
          files: { tokens: 'words.txt' },
        },
      ],
    });
    expect(load('  tts: espeak\n').engines).not.toHaveProperty('sherpa');
  });

  it('judge the end of turns where one is named for that', () => {
    const { engines, conversation } = load(
      '  sherpa: { turnEnd: { model: smart-turn } }\nconversation: { turnEnd: act }\n',
    );
    expect(engines).toMatchObject({ sherpa: { turnEnd: { model: 'smart-turn', complete: 0.5 } } });
    expect(conversation.turnEnd).toBe('act');
    expect(load('  tts: espeak\n').conversation.turnEnd).toBe('shadow');
  });

  it('judge whether there is a voice where one is named for that', () => {
    const { engines, conversation } = load('  sherpa: { vad: { model: silero } }\nconversation: { vad: model }\n');
    expect(engines).toMatchObject({ sherpa: { vad: { model: 'silero', voice: 0.5 } } });
    expect(conversation.vad).toBe('model');
    expect(load('  tts: espeak\n').conversation.vad).toBe('shadow');
  });

  it.each([
    {
      name: 'nobody who judges beside the detector, though that is to have a say',
      text: '  sherpa: { ears: [] }\nconversation: { vad: model }\n',
      problem: expect.stringMatching(/^nidaa.yaml:4 conversation.vad: expected engines.sherpa.vad with a model/),
    },
    {
      name: 'nobody who judges turns, though that is to be acted on',
      text: '  sherpa: { ears: [] }\nconversation: { turnEnd: act }\n',
      problem: expect.stringMatching(
        /^nidaa.yaml:4 conversation.turnEnd: expected engines.sherpa.turnEnd with a model/,
      ),
    },
    {
      name: 'no model for the language',
      text: '  stt: { ar: sherpa, en: [pocketsphinx, sherpa] }\n  sherpa: { ears: [{ model: m, languages: [en] }] }\n',
      problem:
        'nidaa.yaml:4 engines.sherpa: expected ears with a model and languages: [ar]: engines.stt.ar names sherpa',
    },
    {
      name: 'no voice',
      text: '  tts: [sherpa, espeak]\n',
      problem: 'nidaa.yaml:3 engines.sherpa: expected voices with a model: engines.tts names sherpa',
    },
    {
      name: 'a kind that nobody knows',
      text: '  sherpa: { ears: [{ model: m, kind: zipformer, languages: [ar] }] }\n',
      problem: expect.stringMatching(
        /^nidaa.yaml:3 engines.sherpa.ears\[0\].kind: expected one of streaming-transducer, .*got "zipformer"$/,
      ),
    },
    {
      name: 'a language with its country',
      text: '  sherpa: { ears: [{ model: m, languages: [ar-SA] }] }\n',
      problem: 'nidaa.yaml:3 engines.sherpa.ears[0].languages[0]: expected a language like ar, got "ar-SA"',
    },
  ])('are refused with $name', ({ text, problem }) => {
    expect(listedProblems(() => load(text))).toEqual([problem]);
  });

  it('give voices of the catalogue a model and a speaker', () => {
    const voice = loadVoices(join(import.meta.dirname, '../../config/voices.yaml')).list[0]!;
    const { providers: _, ...rest } = voice;
    const own = { ...rest, providers: { sherpa: { model: 'piper', speaker: 3 } } };
    const folder = configFolder({ 'voices.yaml': JSON.stringify({ voices: [own] }) });
    expect(loadVoices(join(folder.dir, 'voices.yaml')).list[0]?.providers).toEqual({
      sherpa: { model: 'piper', speaker: 3 },
    });
    folder.remove();
  });
});
