import type { DialOptions } from '../call/dialer.ts';
import type { LegInfo } from '../call/leg.ts';
import type { Config } from '../config/load.ts';
import type { EncryptionTerms, Trunk } from '../core/trunk.ts';
import type { ChosenSrtp } from '../media/srtp/choose-srtp.ts';

type SipSettings = Pick<Config['sip'], 'mediaEncryption' | 'keysInClear'>;

/** What holds for a call that comes in: the word of its trunk, else the setting of the gateway. */
export function termsOf(
  { source }: Pick<LegInfo, 'source'>,
  sip: SipSettings,
  trunkOf: (id: string) => Trunk | undefined,
): EncryptionTerms {
  const trunk = source?.kind === 'trunk' ? trunkOf(source.id) : undefined;
  return trunk?.definition ?? { encryption: sip.mediaEncryption, keysInClear: sip.keysInClear };
}

/**
 * A call out by no trunk. Where encryption is required it is so for these, too; else they are in the clear, as phones that answer
 * know best.
 */
export function dialTerms(options: DialOptions, sip: SipSettings): DialOptions {
  const encryption = sip.mediaEncryption === 'require' ? 'require' : 'none';
  return { encryption, keysInClear: sip.keysInClear, ...options };
}

/** For the start report: what encrypts, and who can read the keys. */
export function encryptionNotes(sip: SipSettings, trunks: readonly Trunk[], srtp: ChosenSrtp): readonly string[] {
  const by = srtp.version === undefined ? srtp.name : `${srtp.name} ${srtp.version}`;
  const why = srtp.reason === undefined ? '' : ` (not by OpenSSL itself: ${srtp.reason})`;
  const open = trunks.filter(({ definition }) => definition.keysInClear).map(({ definition }) => definition.name);
  return [
    `Encrypted media (SRTP): ${WORDS[sip.mediaEncryption]}, by ${by}${why}.`,
    ...(sip.keysInClear ? [`KEYS IN THE CLEAR: sip.keysInClear lets ${READABLE}`] : []),
    ...(open.length > 0 ? [`KEYS IN THE CLEAR: ${list(open)} ${open.length > 1 ? 'let' : 'lets'} ${READABLE}`] : []),
  ];
}

const WORDS: Readonly<Record<SipSettings['mediaEncryption'], string>> = {
  none: 'refused (sip.mediaEncryption: none)',
  allow: 'taken where it is offered',
  require: 'required',
};
const READABLE = 'keys of SRTP go through SIP that is not encrypted: who reads that hears the calls.';
/** Trunks named in a note. */
const NAMED_MAX = 5;
const list = (names: readonly string[]): string =>
  `${names.length > 1 ? 'trunks' : 'trunk'} ${names.slice(0, NAMED_MAX).join(', ')}${names.length > NAMED_MAX ? ' and others' : ''}`;
