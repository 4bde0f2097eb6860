import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import { silentLogger } from '../../../src/core/logger.ts';
import { EventReader } from '../../../src/engines/providers/wyoming/events.ts';
import { reachWyoming } from '../../../src/engines/providers/wyoming/reach.ts';
import type { WyomingSettings } from '../../../src/engines/providers/wyoming/settings.ts';
import { WyomingStt } from '../../../src/engines/providers/wyoming/wyoming-stt.ts';
import { WyomingTts } from '../../../src/engines/providers/wyoming/wyoming-tts.ts';
import { hearElsewhere, speakElsewhere } from '../../../src/engines/speech-privacy.ts';
import { collectSpeech, OTHER_VOICE, TEST_VOICE_AR, ttsRequest } from '../../conformance/tts.ts';
import { framesOf } from '../../support/speech-clips.ts';
import { tone } from '../../support/speech-server.ts';
import { until } from '../../support/until.ts';
import { WyomingTestServer } from '../../support/wyoming-server.ts';

type Shape = Readonly<Record<string, string>>;
interface Protocol {
  readonly header: Shape;
  readonly events: Readonly<Record<string, Shape>>;
  readonly parts: Readonly<Record<string, Shape>>;
  readonly payload: readonly string[];
  readonly flows: Readonly<Record<string, { readonly client: string; readonly server: string }>>;
  readonly written: readonly {
    readonly as: string;
    readonly bytes: string;
    readonly type: string;
    readonly data: object;
    readonly payload?: string;
  }[];
}
/** What the protocol's own documentation says, which neither our adapter nor our stand-in was written into. */
const PROTOCOL = JSON.parse(
  readFileSync(new URL('../../fixtures/wyoming/protocol.json', import.meta.url), 'utf8'),
) as Protocol;
const never = new AbortController().signal;

interface Event {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly payload: Buffer;
}

/** Events out of one direction of a connection, by the fixture alone; fails the test where it says otherwise. */
function eventsIn(bytes: Buffer): readonly Event[] {
  const events: Event[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf('\n', at);
    expect(end, 'a line has an end').toBeGreaterThan(at);
    const head = JSON.parse(bytes.toString('utf8', at, end)) as Record<string, unknown>;
    expectShape(head, PROTOCOL.header, 'the line');
    const { type, data = {}, data_length: dataBytes = 0, payload_length: payloadBytes = 0 } = head;
    const from = end + 1;
    const to = from + Number(dataBytes);
    const more = Number(dataBytes) > 0 ? (JSON.parse(bytes.toString('utf8', from, to)) as object) : {};
    at = to + Number(payloadBytes);
    expect(bytes.length, 'all of it came').toBeGreaterThanOrEqual(at);
    const event = { type: String(type), data: { ...(data as object), ...more }, payload: bytes.subarray(to, at) };
    const shape = PROTOCOL.events[event.type];
    expect(shape, `an event called ${event.type}`).toBeDefined();
    expectShape(event.data, shape!, event.type);
    expect(event.payload.length > 0).toBe(PROTOCOL.payload.includes(event.type));
    events.push(event);
  }
  return events;
}

function expectShape(value: object, shape: Shape, where: string): void {
  const fields = value as Readonly<Record<string, unknown>>;
  expect(
    Object.keys(fields).filter((key) => shape[key] === undefined),
    `nothing else in ${where}`,
  ).toEqual([]);
  for (const [key, wanted] of Object.entries(shape)) {
    const field = fields[key];
    if (field === undefined && wanted.endsWith('?')) continue;
    const kinds = wanted.replace('?', '').split('|');
    expect(kinds, `${where}: ${key}`).toContain(kindOf(field));
    const part = PROTOCOL.parts[`${where}.${key}`];
    if (part)
      for (const one of Array.isArray(field) ? field : [field]) expectShape(one as object, part, `${where}.${key}`);
  }
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

/** Between an adapter and the stand-in, keeping what went each way over every connection. */
class Listener {
  readonly said: { client: Buffer[]; server: Buffer[] }[] = [];
  open = 0; // connections whose server may still say something
  readonly #server: Server;
  constructor(target: () => string) {
    this.#server = createServer((client) => {
      const { hostname, port } = new URL(target());
      const server = connect(Number(port), hostname);
      const said = { client: [] as Buffer[], server: [] as Buffer[] };
      this.said.push(said);
      const pass = (from: typeof client, to: typeof client, kept: Buffer[]): void => {
        from
          .on('error', () => to.destroy())
          .on('close', () => to.end()) // the other side may have more to say
          .on('data', (bytes) => {
            kept.push(bytes);
            to.write(bytes);
          });
      };
      this.open += 1;
      server.on('close', () => {
        this.open -= 1;
      });
      pass(client, server, said.client);
      pass(server, client, said.server);
    });
  }
  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `tcp://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }
  close(): void {
    this.#server.close();
  }
}

describe('the protocol, as its documentation has it', () => {
  let server: WyomingTestServer;
  let listener: Listener;
  let settings: WyomingSettings;
  const deps = { clock: systemClock, logger: silentLogger, used: () => {} };
  beforeEach(async () => {
    server = await WyomingTestServer.start();
    listener = new Listener(() => server.url);
    settings = { baseUrl: await listener.listen(), streams: false };
  });
  afterEach(async () => {
    listener.close();
    await server.close();
  });

  async function hear(streams: boolean): Promise<void> {
    server.streams = streams;
    const engine = hearElsewhere(new WyomingStt({ ...settings, streams, transcriptionModel: 'base' }, deps));
    const stream = engine.open({ language: 'ar-SA', sampleRateHz: 8000, interim: streams }, never);
    for (const frame of framesOf(tone(2_000, 8000))) stream.write(frame);
    stream.end();
    for await (const _ of stream);
  }
  const speak = async (): Promise<void> => {
    const voice = speakElsewhere(new WyomingTts(settings, deps));
    for (const of of [OTHER_VOICE, TEST_VOICE_AR]) await collectSpeech(voice, ttsRequest({ text: 'نعم.', voice: of }));
  };

  it.each([
    { flow: 'describe', run: () => reachWyoming(settings, systemClock, never) },
    { flow: 'hears', run: () => hear(false) },
    { flow: 'hears, streaming', run: () => hear(true) },
    { flow: 'speaks', run: speak },
  ])('is kept by both sides, field by field and in its order: $flow', async ({ flow, run }) => {
    await run();
    await until(() => listener.open === 0);
    const { client, server: answers } = PROTOCOL.flows[flow]!;
    const spoken = listener.said.filter((one) => one.client.length > 0);
    expect(spoken.length).toBeGreaterThan(0);
    for (const { client: asked, server: told } of spoken) {
      const typesOf = (pieces: readonly Buffer[]): string =>
        eventsIn(Buffer.concat(pieces))
          .map(({ type }) => type)
          .join(' ');
      expect(typesOf(asked)).toMatch(new RegExp(`^${client}$`));
      expect(typesOf(told)).toMatch(new RegExp(`^${answers}$`));
    }
  });

  it.each(PROTOCOL.written)('is read as its own programs write it: $as', ({ bytes, type, data, payload = '' }) => {
    const [event, ...others] = new EventReader().push(Buffer.from(bytes));
    expect([event?.type, event?.data, event?.payload.toString(), others]).toEqual([type, data, payload, []]);
  });
});
