import type { ISynthesisMetadata } from 'microsoft-cognitiveservices-speech-sdk/distrib/lib/src/common.speech/Exports.js';
import type { WebSocket } from 'ws';
import { encodeMulaw } from '../../src/audio/g711.ts';
import { azureBinary, azureText, readAzureMessage, type Wire } from './azure-messages.ts';
import { type SocketFault, sendSound } from './service-sockets.ts';

/** A sentence, as it was asked for. */
export interface AzureSaid {
  readonly text: string;
  readonly voice: string;
  readonly rate: string | undefined; // +20%
  readonly pitch: string | undefined; // +2st
  readonly format: string;
}

interface SynthesisContext {
  readonly synthesis: {
    readonly audio: {
      readonly outputFormat: string;
      readonly metadataOptions?: { readonly wordBoundaryEnabled?: unknown };
    };
  };
}

export interface AzureSpeakSetup {
  readonly speaks: (text: string, speed: number, rateHz: number, voice: string) => Int16Array | Promise<Int16Array>;
  readonly said: (sentence: AzureSaid) => void;
  readonly busy: (by: 1 | -1) => void;
  readonly fault: SocketFault | undefined;
}

type Boundary = Pick<ISynthesisMetadata['Data'], 'Offset' | 'Duration' | 'text'>;

const FORMATS: Readonly<Record<string, { rateHz: number; isMulaw: boolean }>> = {
  'raw-8khz-8bit-mono-mulaw': { rateHz: 8000, isMulaw: true },
  'raw-16khz-16bit-mono-pcm': { rateHz: 16_000, isMulaw: false },
  'raw-24khz-16bit-mono-pcm': { rateHz: 24_000, isMulaw: false },
};
const SSML =
  /^<speak [^>]*><voice name=["']([\w:-]+)["']\s*>(?:<prosody((?: [a-z]+="[^"]*")*)>)?([^<]*)(?:<\/prosody>)?<\/voice><\/speak>$/;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** One connection that speaks: a turn for every sentence. */
export class AzureSpeaking {
  #configured = false;
  #context: { readonly requestId: string; readonly context: SynthesisContext } | undefined;

  constructor(
    private readonly socket: WebSocket,
    private readonly setup: AzureSpeakSetup,
  ) {
    socket.on('message', (data: Buffer, isBinary: boolean) => this.#take(data, isBinary));
  }

  #take(data: Buffer, isBinary: boolean): void {
    const message = readAzureMessage(data, isBinary);
    if (typeof message === 'string') return this.#refuse(message);
    const { path, requestId } = message;
    const body = message.body.toString('utf8');
    if (path === 'speech.config') this.#configured = true;
    else if (path === 'synthesis.context') this.#context = { requestId, context: JSON.parse(body) as SynthesisContext };
    else if (path === 'ssml') void this.#speak(requestId, body);
    else this.#refuse(`an unknown path: ${path}`);
  }

  async #speak(requestId: string, ssml: string): Promise<void> {
    const known = this.#context;
    if (!this.#configured || known?.requestId !== requestId) return this.#refuse('ssml without its context');
    const { outputFormat, metadataOptions } = known.context.synthesis.audio;
    const format = FORMATS[outputFormat];
    const read = readSsml(ssml);
    if (!format) return this.#refuse('an unknown format');
    if (!read) return this.#refuse('SSML that cannot be read');
    this.setup.said({ ...read, format: outputFormat });
    const { fault } = this.setup;
    if (fault?.type === 'silent') return;
    this.setup.busy(1);
    const speed = 1 + Number.parseInt(read.rate ?? '0', 10) / 100;
    const samples =
      fault?.type === 'no-sound'
        ? new Int16Array(0)
        : await this.setup.speaks(read.text, speed, format.rateHz, read.voice);
    const streamId = requestId.toUpperCase();
    this.#send('turn.start', requestId, { context: { serviceTag: '7b1c0e540000400080000000000000a2' } });
    this.#send('response', requestId, { context: {}, audio: { type: 'inline', streamId } });
    if (String(metadataOptions?.wordBoundaryEnabled) === 'true' && samples.length > 0) {
      const ms = (samples.length * 1000) / format.rateHz;
      this.#send('audio.metadata', requestId, { Metadata: boundaries(read.text, ms) });
    }
    const bytes = format.isMulaw
      ? Buffer.from(encodeMulaw(samples))
      : Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
    const framed = (piece: Buffer): Buffer => azureBinary('audio', requestId, streamId, piece);
    const whole = await sendSound(this.socket, bytes, fault, framed);
    this.setup.busy(-1);
    if (whole) this.#send('turn.end', requestId, {});
  }

  #send(path: string, requestId: string, body: object): void {
    if (this.socket.readyState === this.socket.OPEN) this.socket.send(azureText(path, requestId, body));
  }

  #refuse(problem: string): void {
    this.socket.close(1007, problem);
  }
}

function readSsml(ssml: string): Omit<AzureSaid, 'format'> | undefined {
  const [, voice, attributes = '', text] = SSML.exec(ssml) ?? [];
  if (voice === undefined || text === undefined) return undefined;
  const of = (name: string): string | undefined => new RegExp(` ${name}="([^"]*)"`).exec(attributes)?.[1];
  const plain = text.replace(/&(\w+);/g, (all, name: string) => ENTITIES[name] ?? all);
  return { text: plain, voice, rate: of('rate'), pitch: of('pitch') };
}

/** Every letter sounds as long as any other. */
function boundaries(text: string, ms: number): readonly { Type: 'WordBoundary'; Data: Wire<Boundary> }[] {
  return [...text.matchAll(/[\p{L}\p{N}]+/gu)].map((word) => {
    const at = (chars: number): number => Math.round((chars / text.length) * ms * 10_000);
    const Text = word[0];
    const Data = {
      ...{ Offset: at(word.index), Duration: at(Text.length) },
      text: { Text, Length: Text.length, BoundaryType: 'WordBoundary' },
    } satisfies Wire<Boundary>;
    return { Type: 'WordBoundary', Data };
  });
}
