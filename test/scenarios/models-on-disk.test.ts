import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { PauseNote, VoiceNote } from '../../src/core/turn-details.ts';
import { sherpaMissing } from '../../src/engines/providers/sherpa/installed.ts';
import { saidIn, texts } from '../support/call-record.ts';
import { configFolder } from '../support/config-folder.ts';
import { type Gateway, prepared, startGateway } from '../support/gateway.ts';
import { withStore } from '../support/gateway-store.ts';
import { callWith, missingForCalls, sayUntil } from '../support/phone-call.ts';
import { EVERY_TEST } from '../support/property-runs.ts';
import { sharedDatabase } from '../support/shared-postgres.ts';
import { joined, silence } from '../support/speech-clips.ts';
import { tinySmartTurn, tinyTransducer, tinyVits } from '../support/tiny-models.ts';
import { tinySilero } from '../support/tiny-silero.ts';
import { tone } from '../support/tones.ts';
import { until } from '../support/until.ts';

const shipped = (name: string): string => readFileSync(new URL(`../../config/agents/${name}`, import.meta.url), 'utf8');
const KINDS = ['streaming-transducer', 'vits', 'smart-turn', 'silero-vad'];
const GREETING = 'كيف أقدر أخدمك';
const HOURS = 'متى تفتحون';
const CLOSED = 'والجمعة إجازة';
const WHERE = 'وين موقعكم';
const METRO = 'محطة المترو';
/** As the model hears it. */
const LOW = joined(tone(500, 6_000), silence(100));
const HIGH = joined(tone(2_600, 6_000), silence(100));

describe.skipIf(missingForCalls.length > 0 || sherpaMissing() !== undefined)('calls by models on disk', () => {
  let gateway: Gateway;
  let folder: ReturnType<typeof configFolder>;
  const modelsDir = mkdtempSync(join(tmpdir(), 'nidaa-models-'));

  beforeAll(async () => {
    const ears = tinyTransducer(join(modelsDir, 'ears'), [HOURS, WHERE]);
    const voice = tinyVits(join(modelsDir, 'voice'));
    const turns = tinySmartTurn(join(modelsDir, 'turns'));
    const voices = tinySilero(join(modelsDir, 'voices'), { version: 'v5' });
    folder = configFolder({
      'nidaa.yaml': `# What is judged here is no matter of milliseconds, and tones are no voices.
media: { maxLatenessP99Ms: 50 }
conversation: { turnEnd: act, vad: model }
engines:
  vad: energy
  stt: { ar: sherpa, en: none }
  tts: [sherpa, espeak]
  sherpa:
    ears: [{ model: ${ears}, kind: streaming-transducer, languages: [ar] }]
    voices: [{ model: ${voice}, kind: vits, languages: [ar, en] }]
    turnEnd: { model: ${turns}, kind: smart-turn }
    vad: { model: ${voices}, kind: silero-vad }
`,
      'agents/clinic-ar.yaml': shipped('clinic-ar.yaml'),
      'agents/clinic-ar.sentences.tsv': shipped('clinic-ar.sentences.tsv'),
    });
    gateway = await startGateway({
      databaseUrl: await sharedDatabase(inject('postgresDesk')),
      env: { NIDAA_CONFIG: `${folder.dir}/nidaa.yaml` },
    });
    await prepared(gateway);
  });
  afterAll(async () => {
    await gateway?.dispose();
    folder?.remove();
    rmSync(modelsDir, { recursive: true, force: true });
  });

  /** The processes that models were loaded in, the last one last. */
  const loaded = (kind: string): number[] =>
    gateway
      .log()
      .split('\n')
      .filter((line) => line.includes('"model loaded"'))
      .map((line) => JSON.parse(line) as { kind: string; pid: number })
      .filter((line) => line.kind === kind)
      .map(({ pid }) => pid);

  /** The pause before the last answer of a call. */
  async function pauseIn(callId: string): Promise<PauseNote> {
    const turns = await withStore(gateway, ({ calls }) => calls.turnsOf(callId));
    return turns.findLast(({ details }) => details?.pause)!.details!.pause!;
  }

  async function voiceIn(callId: string): Promise<VoiceNote> {
    const turns = await withStore(gateway, ({ calls }) => calls.turnsOf(callId));
    return turns.find(({ details }) => details?.voice)!.details!.voice!;
  }

  it('are understood and answered, and nothing of them is in the log', async () => {
    const { heard, call } = await callWith(gateway, '2000', [], async (phone) => {
      await saidIn(gateway, phone.sipCallId, GREETING);
      await sayUntil(gateway, phone, LOW, CLOSED);
    });
    expect(texts(call, 'caller')[0]).toBe(HOURS);
    const answer = call.turns.find(({ text }) => text.includes(CLOSED))!;
    expect(heard.voicedSeconds(0, 4)).toBeGreaterThan(1);
    expect(heard.voicedSeconds(answer.started_ms / 1000)).toBeGreaterThan(2);
    expect(KINDS.map((kind) => loaded(kind).length)).toEqual([1, 1, 1, 1]);
    // What ends in the low tone is not complete, to the one that judges turns; on a busy machine it may come too late to say so.
    const pause = await pauseIn(call.id);
    expect(pause).toMatchObject({
      language: 'ar',
      truth: 'over',
      said: expect.stringMatching(/^(?:incomplete|late)$/),
    });
    expect(pause.probability ?? 0).toBeLessThan(0.1);
    // Whether there is a voice is judged by both; on a busy machine the detector may have been alone for a while.
    const voice = await voiceIn(call.id);
    expect(voice).toMatchObject({ language: 'ar', words: true, found: expect.stringMatching(/^(?:both|away)$/) });
    expect(voice.togetherMs).toBeGreaterThan(300); // of half a second; what a busy machine keeps from them is missing
    expect(await gateway.metrics()).toMatch(
      /nidaa_voice_found_total\{language="ar",found="(?:both|away)",words="yes"\} 1/,
    );
    expect(gateway.log()).not.toMatch(/تفتحون|إجازة/);
  });

  it.runIf(EVERY_TEST)('go on when the processes of all models are killed', async () => {
    const { call } = await callWith(gateway, '2000', [], async (phone) => {
      await saidIn(gateway, phone.sipCallId, GREETING);
      for (const kind of KINDS) process.kill(loaded(kind).at(-1)!, 'SIGKILL');
      await until(() => gateway.log().split('"model failed"').length === KINDS.length + 1, 'all are missed');
      await sayUntil(gateway, phone, HIGH, METRO);
    });
    expect(texts(call, 'caller').at(-1)).toBe(WHERE);
    // It is loaded while it is asked: too late, or just in time.
    const pause = await pauseIn(call.id);
    expect(pause).toMatchObject({ truth: 'over', said: expect.stringMatching(/^(?:complete|late)$/) });
    expect(pause.probability ?? 1).toBeGreaterThan(0.9);
    await until(() => loaded('smart-turn').length === 2, 'it is there again');
    expect(loaded('streaming-transducer').length).toBe(2);
    expect(gateway.log()).toContain('its process ended with SIGKILL');
  });
});
