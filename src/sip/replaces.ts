import type { LegInfo } from '../call/leg.ts';
import type { SrfDialog, SrfRequest } from './drachtio.ts';

/** The dialog that a new INVITE is to take the place of, by the identifiers that its UA, which is us, has for it (RFC 3891 §3). */
export interface Replaces {
  readonly callId: string;
  readonly toTag: string; // ours
  readonly fromTag: string; // of the far end
  readonly earlyOnly: boolean;
}

const HEADER_CHARACTERS_MAX = 1_024;
const TOKEN = /^[A-Za-z0-9.!%*_+`'~-]{1,128}$/;
const CALL_ID = /^[\u0021-\u003a\u003c-\u007e]{1,256}$/;

/** @returns undefined where nothing is to be replaced; `malformed`: 400 (RFC 3891 §3). Never throws. */
export function replacesIn(req: SrfRequest): Replaces | 'malformed' | undefined {
  const header = req.get('Replaces');
  if (header === undefined) return undefined;
  if (header.length > HEADER_CHARACTERS_MAX || header.includes(',')) return 'malformed'; // one at most
  const [callId = '', ...rest] = header.split(';').map((part) => part.trim());
  const parameters = new Map(
    rest.map((part) => {
      const [name = '', value = ''] = part.split('=', 2).map((text) => text.trim());
      return [name.toLowerCase(), value] as const;
    }),
  );
  const [toTag, fromTag] = [parameters.get('to-tag') ?? '', parameters.get('from-tag') ?? ''];
  if (!CALL_ID.test(callId) || !TOKEN.test(toTag) || !TOKEN.test(fromTag)) return 'malformed';
  return { callId, toTag, fromTag, earlyOnly: parameters.has('early-only') };
}

export const isDialogOf = ({ callId, toTag, fromTag }: Replaces, { sip }: SrfDialog): boolean =>
  sip.callId === callId && sip.localTag === toTag && sip.remoteTag === fromTag;

const accountOf = (source: LegInfo['source']): string | undefined =>
  source && 'accountId' in source ? source.accountId : undefined;

/**
 * Whether one who calls may take a call over from another: whoever knows its identifiers must come from where that call came from
 * as well, or belong to the same trunk or account (RFC 3891 §8). Two accounts may be behind one address, and stay apart.
 */
export function mayTakeOver(next: LegInfo, { source, sourceAddress }: LegInfo): boolean {
  const [account, other] = [accountOf(next.source), accountOf(source)];
  if (account !== undefined && other !== undefined && account !== other) return false;
  const host = (address: string): string => address.replace(/:\d+$/, '');
  if (host(next.sourceAddress) === host(sourceAddress)) return true;
  if (next.source?.kind === 'trunk') return source?.kind === 'trunk' && source.id === next.source.id;
  if (next.source?.kind === 'phone') return source?.kind === 'phone' && source.accountId === next.source.accountId;
  return next.source?.kind === 'loopback' && source?.kind === 'loopback';
}
