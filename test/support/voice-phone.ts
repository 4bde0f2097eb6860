import { RtpPeer } from './rtp-peer.ts';
import { sdpText } from './sdp-texts.ts';
import { amplitudeAt } from './tones.ts';
import { headerOf, UdpCaller, type WireMessage } from './udp-caller.ts';
import { until } from './until.ts';

const WINDOW_PACKETS = 20; // 400 ms
/** A gateway that is busy with its start, on a machine that does much else. */
const ANSWER_MS_MAX = 45_000;
const LOUD = 0.1; // of full scale; its own tone is 0.25

/** A phone with a voice: its signalling is written by hand, its audio flows both ways. */
export class VoicePhone {
  /** Where the other side wants to hear us. */
  audioPort = 0;
  #invite: WireMessage | undefined;

  private constructor(
    readonly sip: UdpCaller,
    readonly audio: RtpPeer,
  ) {}

  /** @param sipPort - where its requests go. */
  static async open(sipPort: number): Promise<VoicePhone> {
    return new VoicePhone(await new UdpCaller(sipPort).open(), await RtpPeer.open());
  }

  get uri(): string {
    return `sip:person@127.0.0.1:${this.sip.port}`;
  }
  get description(): string {
    const media = [`m=audio ${this.audio.port} RTP/AVP 0 101`, 'a=rtpmap:101 telephone-event/8000'];
    return sdpText({ session: ['c=IN IP4 127.0.0.1'], media });
  }

  /** Calls, and speaks a tone from the answer on. */
  async call(uri: string, hz: number, headers: readonly string[] = []): Promise<void> {
    const body = this.description;
    this.sip.target = uri;
    this.sip.sendRequest('INVITE', { uri, body, headers: ['Content-Type: application/sdp', ...headers] });
    const ok = await this.sip.final('INVITE', ANSWER_MS_MAX);
    if (ok.status !== 200) throw new Error(`refused: ${ok.start}`);
    this.sip.adopt(ok);
    this.sip.sendRequest('ACK');
    this.#speak(ok, hz);
  }

  /** The INVITE that comes, answered with 180. */
  async ringing(): Promise<WireMessage> {
    const invite = await this.asked('INVITE');
    this.#invite = invite;
    this.sip.reply(invite, 180, 'Ringing');
    return invite;
  }

  /** A request that comes when it comes. */
  async asked(method: string): Promise<WireMessage> {
    await until(() => this.sip.inbox.some((message) => message.method === method && message.status === 0), method);
    return this.sip.request(method);
  }

  /** A key, by INFO. */
  async press(key: string): Promise<void> {
    const headers = ['Content-Type: application/dtmf-relay'];
    this.sip.sendRequest('INFO', { headers, body: `Signal=${key}\r\nDuration=160\r\n` });
    await this.sip.response('INFO', 200);
  }

  /** A key, as an RFC 4733 event. */
  key(event: number): void {
    const { timestamp } = this.audio;
    for (const duration of [160, 320, 480, 480, 480]) {
      const payload = Buffer.of(event, (duration === 480 ? 0x80 : 0) | 10, duration >> 8, duration & 255);
      this.audio.send(this.audioPort, payload, { payloadType: 101, marker: duration === 160, timestamp });
    }
  }

  /** Takes the call that rings, and speaks a tone. */
  async answer(hz: number, headers: readonly string[] = []): Promise<void> {
    const invite = this.#ringing;
    this.sip.reply(invite, 200, 'OK', headers, this.description);
    await this.sip.request('ACK');
    this.#speak(invite, hz);
  }
  refuse(status: number, reason: string): void {
    this.sip.reply(this.#ringing, status, reason);
  }

  /** BYE, in the call that it made or took. */
  async hangUp(): Promise<void> {
    const invite = this.#invite;
    if (invite) {
      const contact = /<([^>]+)>/.exec(headerOf(invite, 'Contact'))?.[1] ?? '';
      this.sip.send(
        [
          `BYE ${contact} SIP/2.0`,
          `Via: SIP/2.0/UDP 127.0.0.1:${this.sip.port};branch=z9hG4bK${this.sip.tag};rport`,
          'Max-Forwards: 70',
          `From: ${headerOf(invite, 'To')};tag=${this.sip.tag}`,
          `To: ${headerOf(invite, 'From')}`,
          `Call-ID: ${headerOf(invite, 'Call-ID')}`,
          'CSeq: 1 BYE',
          'Content-Length: 0',
          '',
          '',
        ].join('\r\n'),
      );
    } else {
      this.sip.sendRequest('BYE');
    }
    await this.sip.response('BYE', 200);
    this.audio.quiet();
  }

  /** Our BYE from the other side came, and is answered. */
  async hungUp(): Promise<WireMessage> {
    const bye = await this.asked('BYE');
    this.sip.reply(bye, 200, 'OK');
    this.audio.quiet();
    return bye;
  }

  /** Waits until a tone is heard, or no other packet than silence. */
  hears(hz: number): Promise<true> {
    return until(
      () => this.loudness(hz) > LOUD,
      () => `a tone of ${hz} Hz (${this.loudness(hz).toFixed(3)})`,
    );
  }
  /** Of what was heard last, 0 to 1. */
  loudness(hz: number): number {
    const { heard } = this.audio;
    return amplitudeAt(this.audio.samples(Math.max(0, heard.length - WINDOW_PACKETS)), hz) || 0;
  }

  /** The loudest sample of what was heard last, 0 to 1, whatever it was. */
  get peak(): number {
    const samples = this.audio.samples(Math.max(0, this.audio.heard.length - WINDOW_PACKETS));
    return samples.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0) / 32_768;
  }

  close(): void {
    this.audio.close();
    this.sip.close();
  }

  get #ringing(): WireMessage {
    if (!this.#invite) throw new Error('nobody has called');
    return this.#invite;
  }

  #speak(described: WireMessage, hz: number): void {
    this.audioPort = Number(/m=audio (\d+)/.exec(described.body)?.[1]);
    this.audio.speak(this.audioPort, hz);
  }
}
