import type { CSeq } from './header-values.ts';
import { tagOf, withTag } from './name-addr.ts';
import type { SipHeader, SipMessage, SipRequest, SipResponse } from './sip-message.ts';

const COPIED: ReadonlySet<string> = new Set(['Via', 'From', 'To', 'Call-ID', 'CSeq']);
const NO_BODY = Buffer.alloc(0);

/** A copy whose first header of this name has this value, others of the name removed; appended when there was none. */
export function withHeader<M extends SipMessage>(message: M, name: string, value: string): M {
  const at = message.headers.findIndex((h) => h.name === name);
  if (at < 0) return { ...message, headers: [...message.headers, { name, value }] };
  const kept = message.headers.filter((h, index) => index === at || h.name !== name);
  return { ...message, headers: kept.map((h) => (h.name === name ? { name, value } : h)) };
}

/** A copy with every header of this name replaced by these values, at the place of the first. */
export function withHeaders<M extends SipMessage>(message: M, name: string, values: readonly string[]): M {
  const first = message.headers.findIndex((h) => h.name === name);
  const at = first < 0 ? message.headers.length : first;
  const before = message.headers.slice(0, at);
  const after = message.headers.slice(at).filter((h) => h.name !== name);
  return { ...message, headers: [...before, ...values.map((value) => ({ name, value })), ...after] };
}

/** A copy with one more header at the end; earlier ones of the name stay. */
export function appendHeader<M extends SipMessage>(message: M, name: string, value: string): M {
  return { ...message, headers: [...message.headers, { name, value }] };
}

/** A copy with one more header at the top, as a Via is added. */
export function prependHeader<M extends SipMessage>(message: M, name: string, value: string): M {
  return { ...message, headers: [{ name, value }, ...message.headers] };
}

export function withoutHeader<M extends SipMessage>(message: M, ...names: readonly string[]): M {
  return { ...message, headers: message.headers.filter((h) => !names.includes(h.name)) };
}

/** A copy without its first header of this name, as the top Via or Route is removed. */
export function withoutFirst<M extends SipMessage>(message: M, name: string): M {
  const at = message.headers.findIndex((h) => h.name === name);
  return at < 0 ? message : { ...message, headers: message.headers.toSpliced(at, 1) };
}

/** A copy with this body and its Content-Type; an empty body removes the type. */
export function withBody<M extends SipMessage>(message: M, contentType: string, body: Buffer): M {
  const bare = { ...withoutHeader(message, 'Content-Type', 'Content-Length'), body };
  return body.length === 0 ? bare : appendHeader(bare, 'Content-Type', contentType);
}

export interface ResponseOptions {
  /** Set on To unless the request already had one there (RFC 3261 §8.2.6.2). Leave it out for 100. */
  readonly toTag?: string;
  readonly headers?: readonly SipHeader[];
  readonly contentType?: string;
  readonly body?: Buffer;
}

/**
 * A response to `request` (RFC 3261 §8.2.6): Via, From, To, Call-ID and CSeq are copied as text, and Timestamp for 100.
 * Record-Route is copied for 1xx above 100 and for 2xx, which may make a dialog (§12.1.1).
 */
export function makeResponse(
  request: SipRequest,
  status: number,
  reason: string,
  options: ResponseOptions = {},
): SipResponse {
  const establishes = status > 100 && status < 300;
  const copied = request.headers.filter(({ name }) => {
    if (name === 'Record-Route') return establishes;
    if (name === 'Timestamp') return status === 100;
    return COPIED.has(name);
  });
  const { toTag } = options;
  const tagged = copied.map((h) =>
    h.name !== 'To' || toTag === undefined || tagOf(h.value) !== undefined
      ? h
      : { name: 'To', value: withTag(h.value, toTag) },
  );
  const added: SipHeader[] = [];
  if (options.contentType !== undefined) added.push({ name: 'Content-Type', value: options.contentType });
  return {
    kind: 'response',
    status,
    reason,
    headers: [...tagged, ...added, ...(options.headers ?? [])],
    body: options.body ?? NO_BODY,
  };
}

export function formatCSeq(cseq: CSeq): string {
  return `${cseq.number} ${cseq.method}`;
}
