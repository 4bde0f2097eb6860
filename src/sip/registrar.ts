import { type Clock, delay, repeat } from '../core/clock.ts';
import { errorText } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';
import type { KeptPhone } from '../core/registration.ts';
import type { Authenticator } from './authenticator.ts';
import { type Binding, type BindingLimits, bind, contactsHeader } from './bindings.ts';
import { parseContacts, splitHeaderValues } from './contact-header.ts';
import type { SrfRequest } from './drachtio.ts';
import type { PhoneDirectory, RegistrationKeeper } from './phone-directory.ts';
import { type Reply, warning } from './request-replies.ts';
import { parseNameAddress, parseSipUri, uriHost } from './sip-uri.ts';

/** Phones whose contacts are remembered; one more is refused. */
export const PHONES_MAX = 20_000;
/** An answer does not wait longer for the database: the contact is known here, and is written as soon as that is back. */
export const SAVE_WAIT_MS = 1_000;
const SAVE_AGAIN_MS = 5_000;
const SWEEP_EVERY_MS = 30_000;
const TEXT_CHARACTERS_MAX = 256;
const PATH_MAX = 8;
/** Option tags of a REGISTER that may be required of us. */
const ACCEPTED_TAGS = new Set(['path', 'outbound']);

/** Where a phone is reached. */
export interface RegisteredContact {
  readonly uri: string; // its Contact
  readonly nextHop: string; // the flow that it registered by
  readonly route?: readonly string[]; // proxies in between (RFC 3327), topmost first
}

export interface RegistrarOptions {
  readonly authenticator: Pick<Authenticator, 'check'>;
  readonly directory: PhoneDirectory;
  readonly keeper: RegistrationKeeper;
  readonly limits: BindingLimits;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Registers phones (RFC 3261 §10.3). Look-ups are answered from memory; what changes is written down, many changes at a time,
 * before the phone is told, and read again after a restart.
 */
export class Registrar {
  readonly counters = { registered: 0, removed: 0, refused: 0, unsaved: 0 };
  readonly #phones = new Map<string, readonly Binding[]>();
  readonly #unsaved = new Set<string>();
  readonly #addresses = new Map<string, number>(); // IP address -> bindings from there; asked for each call of a stranger
  #saving: Promise<void> | undefined;
  readonly #over = new AbortController();
  #stopSweep: () => void = () => undefined;

  constructor(private readonly options: RegistrarOptions) {}

  get phones(): number {
    return this.#phones.size;
  }

  /** Reads what an earlier start kept. Rejects where that cannot be read. */
  async open(): Promise<void> {
    const { clock, keeper } = this.options;
    const nowMs = clock.nowMs();
    for (const { phoneId, bindings } of await keeper.load()) {
      const living = bindings
        .map(({ expiresAt, ...kept }) => ({
          ...kept,
          expiresMs: nowMs + (Date.parse(expiresAt) - clock.utc().getTime() || 0),
        }))
        .filter((binding) => binding.expiresMs > nowMs);
      if (!this.#phones.has(phoneId)) this.#bind(phoneId, living);
    }
    this.#stopSweep = repeat(clock, SWEEP_EVERY_MS, () => this.#sweep());
  }

  /** Writes what is not yet written. Idempotent. */
  async close(): Promise<void> {
    this.#stopSweep();
    this.#over.abort();
    await this.#saving;
    if (this.#unsaved.size > 0) await this.#save().catch(() => undefined);
  }

  /** What is still good, the best first: by preference, then the one that was refreshed last. Never throws. */
  contactsOf(phoneId: string): readonly RegisteredContact[] {
    const nowMs = this.options.clock.nowMs();
    return (this.#phones.get(phoneId) ?? [])
      .filter(({ expiresMs }) => expiresMs > nowMs)
      .toSorted((a, b) => b.q - a.q)
      .map(({ uri, flow, path }) => ({ uri, nextHop: flow, ...(path.length > 0 && { route: path }) }));
  }

  /** Whether a phone has registered from that IP address, and its binding is remembered. */
  isRegisteredFrom(address: string): boolean {
    return this.#addresses.has(address);
  }

  /** The answer to a REGISTER. Never rejects. */
  async answer(req: SrfRequest): Promise<Reply> {
    const reply = await this.#answer(req).catch((error: unknown): Reply => {
      this.options.logger.error({ error: errorText(error) }, 'a REGISTER could not be handled');
      return { status: 500, headers: {} };
    });
    if (reply.status >= 300) this.counters.refused += 1;
    return reply;
  }

  async #answer(req: SrfRequest): Promise<Reply> {
    const { authenticator, directory, limits, clock } = this.options;
    const unsupported = tags(req.get('Require')).filter((tag) => !ACCEPTED_TAGS.has(tag));
    if (unsupported.length > 0) return { status: 420, headers: { Unsupported: unsupported.join(', ') } };
    const known = await authenticator.check(req, (username) => directory.digestOf(username));
    if ('status' in known) return { status: known.status, headers: known.headers };
    const { user, username } = known;
    const wanted = parseNameAddress(req.get('To') ?? '').uri?.user;
    if (wanted !== username) return { status: 403, headers: warning('Only your own address can be registered') };
    const cseq = Number.parseInt(req.get('CSeq') ?? '', 10);
    const path = splitHeaderValues(req.get('Path') ?? '');
    const contacts = parseContacts(req.get('Contact') ?? '');
    if (!contacts || !path || path.length > PATH_MAX || !path.every(isPathValue) || !Number.isSafeInteger(cseq)) {
      return { status: 400, headers: warning('Contact, Path or CSeq cannot be read') };
    }
    const before = this.#phones.get(user.phone.id) ?? [];
    const outbound = tags(req.get('Supported')).includes('outbound');
    const request = {
      ...{ contacts, expires: req.get('Expires'), cseq, path, outbound, flow: flowOf(req) },
      callId: printable(req.get('Call-ID'), TEXT_CHARACTERS_MAX),
      userAgent: printable(req.get('User-Agent'), TEXT_CHARACTERS_MAX / 2),
    };
    if (contacts.length > 0) {
      const after = bind(before, request, limits, clock.nowMs());
      if ('status' in after) return after;
      if (before.length === 0 && after.length > 0 && this.#phones.size >= PHONES_MAX) {
        return { status: 503, headers: { 'Retry-After': '60' } };
      }
      await this.#change(user.phone.id, after);
    }
    const now = this.#phones.get(user.phone.id) ?? [];
    return this.#accepted(now, path, outbound && now.some(({ parameters }) => parameters.includes(';reg-id=')));
  }

  #accepted(bindings: readonly Binding[], path: readonly string[], outbound: boolean): Reply {
    const { clock } = this.options;
    const contact = contactsHeader(bindings, clock.nowMs());
    return {
      status: 200,
      headers: {
        ...(contact !== '' && { Contact: contact }),
        ...(path.length > 0 && { Path: path.join(', ') }),
        ...(outbound && { Require: 'outbound' }), // RFC 5626 §6
        Supported: 'path, outbound',
        Date: clock.utc().toUTCString(),
      },
    };
  }

  /** These and no others, from now on. */
  #bind(phoneId: string, bindings: readonly Binding[]): void {
    for (const { flow } of this.#phones.get(phoneId) ?? []) this.#count(addressOfFlow(flow), -1);
    for (const { flow } of bindings) this.#count(addressOfFlow(flow), 1);
    if (bindings.length > 0) this.#phones.set(phoneId, bindings);
    else this.#phones.delete(phoneId);
  }

  #count(address: string, by: 1 | -1): void {
    const count = (this.#addresses.get(address) ?? 0) + by;
    if (count > 0) this.#addresses.set(address, count);
    else this.#addresses.delete(address);
  }

  /** Known here at once, and told to the phone when it is written, unless that takes too long. */
  async #change(phoneId: string, bindings: readonly Binding[]): Promise<void> {
    const { clock } = this.options;
    this.counters[bindings.length > 0 ? 'registered' : 'removed'] += 1;
    this.#bind(phoneId, bindings);
    this.#unsaved.add(phoneId);
    const enough = new AbortController();
    await Promise.race([this.#written(), delay(clock, SAVE_WAIT_MS, enough.signal)]);
    enough.abort();
  }

  /** Resolves when everything of this moment is written. One statement is under way at a time; the next takes all that waits. */
  async #written(): Promise<void> {
    if (this.#saving) await this.#saving;
    this.#saving ??= this.#save()
      .catch((error: unknown) => this.#notSaved(error))
      .finally(() => {
        this.#saving = undefined;
      });
    await this.#saving;
  }

  async #save(): Promise<void> {
    const ids = [...this.#unsaved];
    if (ids.length === 0) return;
    this.#unsaved.clear();
    try {
      await this.options.keeper.save(ids.map((id) => this.#kept(id)));
    } catch (error) {
      for (const id of ids) this.#unsaved.add(id);
      throw error;
    }
  }

  #notSaved(error: unknown): void {
    const { logger, clock } = this.options;
    this.counters.unsaved += 1;
    logger.warn({ error: errorText(error), phones: this.#unsaved.size }, 'registrations could not be written');
    void delay(clock, SAVE_AGAIN_MS, this.#over.signal).then(() => {
      if (!this.#over.signal.aborted && this.#unsaved.size > 0) void this.#written();
    });
  }

  #kept(phoneId: string): KeptPhone {
    const { clock } = this.options;
    const [nowMs, utcMs] = [clock.nowMs(), clock.utc().getTime()];
    const bindings = (this.#phones.get(phoneId) ?? []).map(({ expiresMs, ...kept }) => ({
      ...kept,
      expiresAt: new Date(utcMs + expiresMs - nowMs).toISOString(),
    }));
    return { phoneId, bindings };
  }

  /** Contacts that ran out take no memory; in the database they are nobody's any more by their time. */
  #sweep(): void {
    const nowMs = this.options.clock.nowMs();
    for (const [phoneId, bindings] of this.#phones) {
      const living = bindings.filter(({ expiresMs }) => expiresMs > nowMs);
      if (living.length === bindings.length) continue;
      this.#bind(phoneId, living);
      this.#unsaved.add(phoneId);
    }
    if (this.#unsaved.size > 0) void this.#written();
  }
}

const printable = (text: string | undefined, max: number): string =>
  (text ?? '').replace(/[^\x20-\x7e]/g, ' ').slice(0, max);

/** A route that was cut would lead somewhere else. */
const isPathValue = (value: string): boolean => value.length <= TEXT_CHARACTERS_MAX && !/[^\x20-\x7e]/.test(value);

const tags = (header: string | undefined): readonly string[] =>
  (header ?? '')
    .slice(0, TEXT_CHARACTERS_MAX)
    .split(',')
    .map((tag) => tag.trim().toLowerCase())
    .filter((tag) => /^[a-z0-9.-]{1,64}$/.test(tag));

/** The address that it was heard from: behind NAT nothing else reaches it, and for a connection it is the connection. */
function flowOf(req: SrfRequest): string {
  const transport = req.protocol.toLowerCase();
  const scheme = parseSipUri(req.uri)?.scheme === 'sips' ? 'sips' : 'sip';
  const named = transport === 'udp' ? '' : `;transport=${transport}`;
  return `${scheme}:${uriHost(req.source_address)}:${req.source_port}${named}`;
}

const addressOfFlow = (flow: string): string => /^sips?:\[?([^\];]+?)\]?:\d+(?:;|$)/.exec(flow)?.[1] ?? '';
