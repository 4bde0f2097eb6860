import { isIPv6 } from 'node:net';
import type { Logger } from '../../core/logger.ts';
import { type Dictionary, textAt } from './bencode.ts';
import type { EdgeEngine } from './edge-engine.ts';
import type { EdgeCall, EdgeFailure, EdgeMessage, EdgeSide, OuterMedia } from './media-edge.ts';
import { type NgProblem, type NgReply, resultOf } from './ng-client.ts';
import { outerMediaOf } from './outer-figures.ts';
import { KEYS_WRITTEN, type OuterSide, offerTo, readOuterSide, sideOf } from './outer-side.ts';

/** A caller hears nothing while they are tried. */
const ENGINES_TRIED_MAX = 3;

export interface RtpengineCallOptions {
  readonly id: string; // unlike that of any other call of any gateway, and not to be guessed
  /** In the order in which they are tried. */
  readonly engines: () => readonly EdgeEngine[];
  /** Ours, as rtpengine reaches it; else as our packets to it come from. */
  readonly ownAddress?: string;
  /** Names of the interfaces of rtpengine. */
  readonly interfaces?: { readonly inner: string; readonly outer: string };
  readonly logger: Logger;
}

const OTHER: Readonly<Record<EdgeSide, EdgeSide>> = { outer: 'inner', inner: 'outer' };
const AWAY: EdgeFailure = { failed: 'away', text: 'The media edge does not answer' };
const REPLACED = ['origin', 'session-connection', 'SDP-version'];

const unmapped = (address: string): string => address.replace(/^::ffff:/i, '');
const familyOf = (address: string): string => (isIPv6(unmapped(address)) ? 'IP6' : 'IP4');

/** One dialog at one rtpengine. Its two sides are told apart by tags that are ours: those of SIP may change with a fork. */
export class RtpengineCall implements EdgeCall {
  #engine: EdgeEngine | undefined;
  #lossesBefore = 0;
  #offered: EdgeMessage | undefined; // not answered yet
  #agreed: { readonly offer: EdgeMessage; readonly answer: EdgeMessage } | undefined;
  #outer: OuterSide | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #closed: Promise<OuterMedia | undefined> | undefined;
  readonly #log: Logger;

  constructor(private readonly options: RtpengineCallOptions) {
    this.#log = options.logger.child({ edgeCall: options.id });
  }

  get lost(): string | undefined {
    return this.#engine && this.#engine.losses > this.#lossesBefore ? this.#engine.name : undefined;
  }

  offer(message: EdgeMessage): Promise<string | EdgeFailure> {
    return this.#inTurn(() => this.#offer(message));
  }

  answer(message: EdgeMessage): Promise<string | EdgeFailure> {
    return this.#inTurn(() => this.#answer(message));
  }

  rollback(): void {
    void this.#inTurn(async () => {
      const agreed = this.#agreed;
      if (!agreed || agreed.offer === this.#offered) return AWAY;
      await this.#offer(agreed.offer);
      return this.#answer(agreed.answer);
    });
  }

  close(): Promise<OuterMedia | undefined> {
    this.#closed ??= this.#turn.then(() => this.#delete());
    return this.#closed;
  }

  #inTurn(step: () => Promise<string | EdgeFailure>): Promise<string | EdgeFailure> {
    if (this.#closed) return Promise.resolve(AWAY);
    const done = this.#turn.then(step);
    this.#turn = done;
    return done;
  }

  async #offer(message: EdgeMessage): Promise<string | EdgeFailure> {
    const passed = await (this.#engine ? this.#pass(this.#engine, 'offer', message) : this.#first(message));
    if (typeof passed === 'string') this.#offered = message;
    return passed;
  }

  /** The first instance that takes it keeps the call. */
  async #first(message: EdgeMessage): Promise<string | EdgeFailure> {
    let failure = AWAY;
    for (const engine of this.options.engines().slice(0, ENGINES_TRIED_MAX)) {
      const passed = await this.#pass(engine, 'offer', message);
      if (typeof passed === 'string') {
        this.#engine = engine;
        this.#lossesBefore = engine.losses;
        this.#log.debug({ edge: engine.name }, 'the media edge took a call');
        return passed;
      }
      failure = passed;
      if (passed.failed === 'refused') break;
      void engine.ask('delete', this.#deletion(message.from)); // It may have taken the call, and its answer was lost.
    }
    return failure;
  }

  /** One that was told early may come again: it answers the same offer. */
  async #answer(message: EdgeMessage): Promise<string | EdgeFailure> {
    if (!this.#engine || !this.#offered) return AWAY;
    const passed = await this.#pass(this.#engine, 'answer', message);
    if (typeof passed !== 'string') return passed;
    this.#agreed = { offer: this.#offered, answer: message };
    this.#outer = readOuterSide(message.from === 'outer' ? message.sdp : passed);
    return passed;
  }

  async #pass(engine: EdgeEngine, command: 'offer' | 'answer', message: EdgeMessage): Promise<string | EdgeFailure> {
    const reply = await engine.ask(command, {
      'call-id': this.options.id,
      ...(command === 'offer' ? this.#offerKeys(message) : this.#answerKeys(message)),
      ...this.#sideKeys(engine, message),
      replace: REPLACED,
      sdp: message.sdp,
    });
    return this.#read(reply, command);
  }

  #read(reply: NgReply | NgProblem, command: string): string | EdgeFailure {
    if (typeof reply === 'string') return AWAY;
    const result = resultOf(reply);
    const sdp = textAt(reply, 'sdp');
    if (result === 'ok' && sdp !== undefined) return sdp;
    const reason = textAt(reply, 'error-reason') ?? textAt(reply, 'message');
    this.#log.warn({ command, result, reason }, 'the media edge refused a description');
    if (/parse|SDP/i.test(reason ?? ''))
      return { failed: 'refused', text: 'The media edge cannot use the description' };
    return { failed: 'away', text: 'The media edge has no room' };
  }

  #offerKeys({ from, profile, outerAddress }: EdgeMessage): Dictionary {
    const { interfaces } = this.options;
    const outward = from === 'inner';
    const side = this.#outer ?? sideOf(profile ?? 'rtp');
    return {
      'from-tag': from,
      'to-tag': this.#agreed ? OTHER[from] : undefined,
      direction: interfaces && [interfaces[from], interfaces[OTHER[from]]],
      // Else the other side would get the family of the side that offers.
      'address family': outward ? familyOf(outerAddress) : 'IP4',
      ...(outward
        ? offerTo(side)
        : {
            'transport-protocol': 'RTP/AVP',
            ICE: 'remove',
            'rtcp-mux': ['demux'],
            // Whoever offers may be behind NAT, and begins then.
            'DTLS-reverse': 'passive',
          }),
    };
  }

  #answerKeys({ from }: EdgeMessage): Dictionary {
    return {
      'from-tag': OTHER[from],
      'to-tag': from,
      'rtcp-mux': ['accept'],
      ...(from === 'inner' ? { OSRTP: ['accept'], SDES: KEYS_WRITTEN } : { ICE: 'remove' }),
    };
  }

  /**
   * Where media goes, whatever is written: outside to where SIP comes from and then to where media does; inside to us. Not by
   * `media-address`, which is what rtpengine would write into the description for the other side in place of its own.
   */
  #sideKeys(engine: EdgeEngine, { from, outerAddress }: EdgeMessage): Dictionary {
    const isOuter = from === 'outer';
    const address = isOuter ? outerAddress : (this.options.ownAddress ?? engine.localAddress);
    if (address === undefined) return {};
    return {
      flags: isOuter ? ['SIP-source-address', 'strict-source', 'endpoint-learning-immediate'] : ['SIP-source-address'],
      'received-from': [familyOf(address), unmapped(address)],
    };
  }

  async #delete(): Promise<OuterMedia | undefined> {
    const engine = this.#engine;
    if (!engine) return undefined;
    const first = (this.#agreed?.offer ?? this.#offered)?.from ?? 'outer';
    const reply = await engine.ask('delete', this.#deletion(first));
    return typeof reply === 'string' ? undefined : outerMediaOf(reply, engine.name);
  }

  #deletion(tag: EdgeSide): Dictionary {
    return { 'call-id': this.options.id, 'from-tag': tag, 'delete-delay': 0 };
  }
}
