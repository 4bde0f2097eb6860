import { createHmac } from 'node:crypto';
import WebSocket from 'ws';
import { decodeMulaw, encodeMulaw } from '../../src/audio/g711.ts';
import { Heard } from './heard.ts';
import { until } from './until.ts';

const FRAME_SAMPLES = 160;
const FRAME_MS = 20;

/** A far end that plays what comes at the pace of time, and has a microphone: what the three protocols have in common. */
export abstract class StreamPeer {
  readonly #heard: Int16Array[] = [];
  #store: number[] = []; // came, and not played
  #marks: { readonly name: string; readonly at: number }[] = [];
  #played = 0;
  #spoken: Int16Array = new Int16Array(0);
  protected spokenRateHz = 8000;
  #timer: NodeJS.Timeout | undefined;
  /** Marks that were told, and how often everything was cleared. */
  marksTold = 0;
  cleared = 0;
  closed: number | undefined;

  protected constructor(readonly ws: WebSocket) {
    ws.on('message', (data, isBinary) => this.received(data as Buffer, isBinary));
    ws.on('close', (code) => {
      this.closed = code;
      clearInterval(this.#timer);
    });
    ws.on('error', () => {});
  }

  protected abstract received(data: Buffer, isBinary: boolean): void;
  protected abstract sendAudio(frame: Int16Array): void;
  protected abstract tellMark(name: string): void;
  abstract press(digit: string): void;
  abstract hangUp(): void;

  /** From now on it sends and plays. */
  protected start(): void {
    let dueMs = performance.now();
    this.#timer = setInterval(() => {
      for (; dueMs <= performance.now(); dueMs += FRAME_MS) this.#tick();
    }, FRAME_MS);
  }
  protected play(samples: Int16Array): void {
    for (const sample of samples) this.#store.push(sample);
  }
  protected mark(name: string): void {
    this.#marks.push({ name, at: this.#played + this.#store.length });
  }
  protected clear(tell: boolean): void {
    this.cleared += 1;
    this.#store = [];
    for (const { name } of this.#marks.splice(0)) if (tell) this.tellMark(name);
  }

  /** @param samples - at the rate of what it sends. */
  say(samples: Int16Array): void {
    this.#spoken = samples;
  }
  /** Of what it has played so far: asked with each frame that is sent, so it looks at none of them. */
  protected get heardFrames(): number {
    return this.#heard.length;
  }
  get saying(): boolean {
    return this.#spoken.length > 0;
  }
  get heard(): Heard {
    const samples = new Int16Array(this.#heard.length * FRAME_SAMPLES);
    for (const [n, frame] of this.#heard.entries()) samples.set(frame, n * FRAME_SAMPLES);
    return new Heard(samples, 8000);
  }
  async ended(): Promise<number> {
    await until(() => this.closed !== undefined, 'the end of the stream', 10_000);
    return this.closed!;
  }

  #tick(): void {
    const frame = new Int16Array(FRAME_SAMPLES);
    const played = this.#store.splice(0, FRAME_SAMPLES);
    frame.set(played);
    this.#played += played.length;
    this.#heard.push(frame);
    while (this.#marks[0] && this.#marks[0].at <= this.#played) {
      this.marksTold += 1;
      this.tellMark(this.#marks.shift()!.name);
    }
    const spoken = new Int16Array((this.spokenRateHz * FRAME_MS) / 1000);
    spoken.set(this.#spoken.subarray(0, spoken.length));
    this.#spoken = this.#spoken.subarray(spoken.length);
    if (this.ws.readyState === WebSocket.OPEN) this.sendAudio(spoken);
  }
}

/** As Twilio documents its Media Streams, with `<Connect><Stream>`. */
export class TwilioPeer extends StreamPeer {
  #sequence = 0;
  #chunk = 0;

  /** @param parameters - of the TwiML. */
  static connect(url: string, authToken: string, parameters: Readonly<Record<string, string>>): TwilioPeer {
    const signature = createHmac('sha1', authToken).update(url.replace(/^ws:/, 'wss:')).digest('base64');
    return new TwilioPeer(new WebSocket(url, { headers: { 'x-twilio-signature': signature } }), parameters);
  }

  private constructor(ws: WebSocket, parameters: Readonly<Record<string, string>>) {
    super(ws);
    ws.on('open', () => {
      ws.send(JSON.stringify({ event: 'connected', protocol: 'Call', version: '1.0.0' }));
      this.#send('start', {
        start: {
          ...{ accountSid: 'AC0', streamSid: 'MZ0', callSid: this.callSid, tracks: ['inbound'] },
          mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 },
          customParameters: parameters,
        },
      });
      this.start();
    });
  }
  readonly callSid = `CA${Math.random().toString(16).slice(2)}`;

  press(digit: string): void {
    this.#send('dtmf', { dtmf: { track: 'inbound_track', digit } });
  }
  hangUp(): void {
    this.#send('stop', { stop: { accountSid: 'AC0', callSid: this.callSid } });
    this.ws.close();
  }
  protected sendAudio(frame: Int16Array): void {
    this.#chunk += 1;
    const payload = Buffer.from(encodeMulaw(frame)).toString('base64');
    const timestamp = String(this.heardFrames * FRAME_MS);
    this.#send('media', { media: { track: 'inbound', chunk: String(this.#chunk), timestamp, payload } });
  }
  protected tellMark(name: string): void {
    this.#send('mark', { mark: { name } });
  }
  protected received(data: Buffer): void {
    const { event, media, mark } = JSON.parse(data.toString()) as {
      event: string;
      media: { payload: string };
      mark: { name: string };
    };
    if (event === 'media') this.play(decodeMulaw(Buffer.from(media.payload, 'base64')));
    if (event === 'mark') this.mark(mark.name);
    if (event === 'clear') this.clear(true); // Twilio tells all marks of what it clears
  }
  #send(event: string, content: object): void {
    this.#sequence += 1;
    this.ws.send(JSON.stringify({ event, sequenceNumber: String(this.#sequence), ...content, streamSid: 'MZ0' }));
  }
}

/** As `chan_websocket` of Asterisk speaks when it dials out, in words and in mu-law. */
export class AsteriskPeer extends StreamPeer {
  static readonly #FRAMES_MAX = 1000;
  answered = false;
  hungUp = false;

  static connect(url: string, password: string): AsteriskPeer {
    const authorization = `Basic ${Buffer.from(`asterisk:${password}`).toString('base64')}`;
    return new AsteriskPeer(new WebSocket(url, 'media', { headers: { authorization } }));
  }

  private constructor(ws: WebSocket) {
    super(ws);
    ws.on('open', () => {
      ws.send(
        `MEDIA_START connection_id:nidaa channel:WebSocket/nidaa/0x7f channel_id:${this.channelId} format:ulaw optimal_frame_size:160 ptime:20`,
      );
      this.start();
    });
  }
  readonly channelId = `170000.${Math.floor(Math.random() * 1e9)}`;

  press(digit: string): void {
    this.ws.send(`DTMF_END digit:${digit} channel_id:${this.channelId}`);
  }
  hangUp(): void {
    this.ws.close(1001);
  }
  protected sendAudio(frame: Int16Array): void {
    if (this.answered) this.ws.send(Buffer.from(encodeMulaw(frame)));
  }
  protected tellMark(name: string): void {
    this.ws.send(`MEDIA_MARK_PROCESSED ${name}`);
  }
  protected received(data: Buffer, isBinary: boolean): void {
    if (isBinary) {
      // Whole frames alone: what is left over is dropped where no buffering was asked for.
      if (data.length % FRAME_SAMPLES !== 0 || data.length > AsteriskPeer.#FRAMES_MAX * FRAME_SAMPLES) return;
      return this.play(decodeMulaw(data));
    }
    const [command = '', id = ''] = data.toString().split(' ');
    if (command === 'ANSWER') this.answered = true;
    if (command === 'MARK_MEDIA') this.mark(id);
    if (command === 'FLUSH_MEDIA') this.clear(false);
    if (command === 'HANGUP') {
      this.hungUp = true;
      this.ws.close(1000);
    }
  }
}

/** A client of the talk socket: it plays at the telephone rate, and sends so, too, or at the rate that it is asked for. */
export class TalkPeer extends StreamPeer {
  readonly frames: { readonly type: string; readonly [field: string]: unknown }[] = [];

  constructor(
    url: string,
    readonly beginning: object = {},
    readonly sends: 'telephone' | 'as-asked' = 'telephone',
  ) {
    super(new WebSocket(url));
  }

  /** A frame that came. */
  frame(type: string): { readonly [field: string]: unknown } | undefined {
    return this.frames.find((frame) => frame.type === type);
  }

  press(digit: string): void {
    this.#send({ type: 'dtmf', digits: digit });
  }
  hangUp(): void {
    this.#send({ type: 'end' });
  }
  protected sendAudio(frame: Int16Array): void {
    this.ws.send(Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength));
  }
  protected tellMark(name: string): void {
    this.#send({ type: 'mark', name });
  }
  protected received(data: Buffer, isBinary: boolean): void {
    if (isBinary) {
      const samples = new Int16Array(data.length / 2);
      for (let i = 0; i < samples.length; i += 1) samples[i] = data.readInt16LE(2 * i);
      return this.play(samples);
    }
    const frame = JSON.parse(data.toString()) as { type: string; name: string; input_sample_rate: number };
    this.frames.push(frame as never);
    if (frame.type === 'authenticated') {
      if (this.sends === 'as-asked') this.spokenRateHz = frame.input_sample_rate;
      const rates = { sample_rate: 8000, input_sample_rate: this.spokenRateHz };
      this.#send({ type: 'start', ...rates, ...this.beginning });
    }
    if (frame.type === 'opened') this.start();
    if (frame.type === 'mark') this.mark(frame.name);
    if (frame.type === 'clear') this.clear(false);
  }
  #send(frame: object): void {
    if (this.ws.readyState === WebSocket.OPEN) this.ws.send(JSON.stringify(frame));
  }
}
