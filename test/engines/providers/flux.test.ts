import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import { silentLogger } from '../../../src/core/logger.ts';
import { deepgramProvider } from '../../../src/engines/providers/deepgram/deepgram-provider.ts';
import {
  FLUX_TABLE,
  type FluxEventName,
  type FluxState,
  fluxStep,
} from '../../../src/engines/providers/deepgram/flux-state.ts';
import { FluxStt } from '../../../src/engines/providers/deepgram/flux-stt.ts';
import type { ProviderDeps } from '../../../src/engines/providers/provider.ts';
import { hearElsewhere } from '../../../src/engines/speech-privacy.ts';
import type { SttEvent } from '../../../src/engines/stt/contract.ts';
import { DeepgramTestServer } from '../../support/deepgram-server.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { pass } from '../../support/passing-time.ts';
import { framesOf, joined, silence } from '../../support/speech-clips.ts';
import { tone } from '../../support/speech-server.ts';
import { until } from '../../support/until.ts';

const SAID = 'where is my order';
const never = new AbortController().signal;
const speech = tone(1000, 8000);
/** Long enough for the service to take the turn for over, and not to know it. */
const PAUSE = silence(200);

describe('the turns of Flux', () => {
  it.each<{ event: FluxEventName; from: Record<FluxState, [FluxState, string?]> }>([
    { event: 'StartOfTurn', from: { idle: ['speaking'], speaking: ['speaking'], awaiting: ['speaking', 'resume'] } },
    { event: 'Update', from: { idle: ['idle'], speaking: ['speaking'], awaiting: ['awaiting'] } },
    {
      event: 'EagerEndOfTurn',
      from: {
        idle: ['awaiting', 'speculate'],
        speaking: ['awaiting', 'speculate'],
        awaiting: ['awaiting', 'speculate'],
      },
    },
    { event: 'TurnResumed', from: { idle: ['speaking'], speaking: ['speaking'], awaiting: ['speaking', 'resume'] } },
    {
      event: 'EndOfTurn',
      from: { idle: ['idle', 'settle'], speaking: ['idle', 'settle'], awaiting: ['idle', 'settle'] },
    },
  ])('V4 has every event of every state in its table: $event', ({ event, from }) => {
    for (const state of Object.keys(FLUX_TABLE) as FluxState[]) {
      const { to, does } = fluxStep(state, event);
      expect([state, to, does]).toEqual([state, from[state][0], from[state][1]]);
    }
  });
});

describe('ears by Flux', () => {
  let server: DeepgramTestServer;
  beforeEach(async () => {
    server = await DeepgramTestServer.start();
  });
  afterEach(() => server.close());

  const rig = () => {
    const clock = new FakeClock();
    const deps: ProviderDeps = { clock, logger: silentLogger, used: () => {} };
    const settings = { ...server.settings, transcriptionModel: 'flux-general-en' };
    const engine = hearElsewhere(new FluxStt(settings, deps));
    const stream = engine.open({ language: 'en-US', sampleRateHz: 8000, interim: true }, never);
    const events: SttEvent[] = [];
    void (async () => {
      for await (const event of stream) events.push(event);
    })();
    const finals = () => events.flatMap((event) => (event.type === 'final' ? [event.text] : []));
    const say = (samples: Int16Array): void => {
      for (const frame of framesOf(samples)) stream.write(frame);
    };
    const interims = () => events.flatMap((event) => (event.type === 'interim' ? [event.text] : []));
    /** The service has told of the turn so far. */
    const hears = (text: string) => until(() => interims().includes(text), `it has heard ${text}`);
    return { clock, stream, say, finals, interims, hears, events, engine };
  };
  const forced = () => server.listening[0]!.controls.filter((type) => type === 'ForceEndTurn').length;

  it('asks for turns that may be taken back, at the other address, in English alone', async () => {
    const { say, stream, finals, engine } = rig();
    say(speech);
    stream.end();
    await until(() => finals().length === 1);
    const [connection] = server.connections;
    expect(connection!.path).toBe('/v2/listen');
    expect(Object.fromEntries(connection!.query)).toEqual({
      ...{ model: 'flux-general-en', encoding: 'mulaw', sample_rate: '8000' },
      ...{ eager_eot_threshold: '0.5', mip_opt_out: 'true' },
    });
    expect([engine.available('ar-SA').ok, engine.available('en-US').ok]).toEqual([false, true]);
  });

  it('are those of a model that is called so', () => {
    const deps: ProviderDeps = { clock: new FakeClock(), logger: silentLogger, used: () => {} };
    const made = (transcriptionModel: string) =>
      deepgramProvider.stt!({ ...server.settings, transcriptionModel } as typeof server.settings, deps);
    expect([made('flux-general-en'), made('nova-3')].map((one) => one instanceof FluxStt)).toEqual([true, false]);
  });

  it('are reached where they are, with the voice where that is', async () => {
    server.key = 'dg-canary';
    const settings = { ...server.settings, transcriptionModel: 'flux-general-en' };
    const told = await deepgramProvider.reach(settings, systemClock, never);
    expect(told).toEqual(['flux-general-en hears en-US', 'aura-2-thalia-en speaks']);
    expect(server.connections.map(({ path }) => path)).toEqual(['/v2/listen', '/v1/speak']);
  });

  it('V4 answers at once with what the service took for the end, and hears nothing of it twice', async () => {
    const { say, stream, finals, hears, events } = rig();
    server.hears.push({ text: SAID }, { text: 'and this' });
    say(joined(speech, PAUSE));
    await hears(SAID);
    stream.flush();
    await Promise.resolve();
    await Promise.resolve();
    expect(finals()).toEqual([SAID]); // without a message of the service
    await until(() => forced() === 1);
    say(speech);
    stream.flush();
    await until(() => finals().length === 2);
    expect(finals()).toEqual([SAID, 'and this']);
    expect(events.filter(({ type }) => type === 'final')).toMatchObject([
      { startMs: 0, endMs: 1_200 },
      { startMs: 1_200, endMs: 2_200 },
    ]);
  });

  it('V4 loses no word that was heard after it was taken for over, and before it was ended', async () => {
    const { say, stream, finals, hears } = rig();
    server.hears.push({ text: SAID });
    say(joined(speech, PAUSE));
    await hears(SAID);
    server.hears.splice(0, 1, { text: `${SAID} please` }, { text: 'and this' });
    stream.flush();
    await until(() => forced() === 1);
    say(speech);
    stream.flush();
    await until(() => finals().length === 2);
    expect(finals()).toEqual([SAID, 'please and this']);
  });

  it('V4 does not answer with what it has taken back', async () => {
    const { say, stream, finals, hears, interims } = rig();
    server.hears.push({ text: SAID });
    say(joined(speech, PAUSE));
    await hears(SAID);
    server.hears[0] = { text: `${SAID} please` };
    say(speech);
    await hears(`${SAID} please`);
    stream.flush();
    await until(() => finals().length === 1);
    expect(finals()).toEqual([`${SAID} please`]);
    expect(interims().at(-1)).toBe(`${SAID} please`);
  });

  it('V4 forces the end of a turn that the service takes for none yet', async () => {
    const { say, stream, finals } = rig();
    say(speech);
    stream.flush();
    await until(() => finals().length === 1);
    expect([finals(), forced()]).toEqual([[SAID], 1]);
  });

  it('settles what the service ended by itself with the next flush, in one', async () => {
    const { say, stream, finals, interims, hears } = rig();
    server.hears.push({ text: SAID }, { text: 'please' });
    say(joined(speech, silence(900)));
    await hears(SAID);
    expect(finals()).toEqual([]);
    say(speech);
    stream.flush();
    await until(() => finals().length === 1);
    expect(finals()).toEqual([`${SAID} please`]);
    expect(interims().at(-1)!.startsWith(SAID)).toBe(true);
  });

  it('is answered with nothing where there was no turn, as soon as it has heard all of it', async () => {
    const { say, stream, finals, clock } = rig();
    say(silence(1_000));
    await until(() => server.listening.length === 1 && server.listening[0]!.audio.length === 8_000);
    stream.flush();
    await until(() => forced() === 1);
    expect(finals()).toEqual([]);
    say(silence(300)); // the line goes on
    await until(() => finals().length === 1);
    expect(finals()).toEqual(['']);
    stream.flush();
    await pass(clock, 100, 20);
    expect(finals()).toHaveLength(1 + 0);
  });
});
