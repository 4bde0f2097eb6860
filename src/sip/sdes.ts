import { type SdesCrypto, SrtpKey } from '../media/srtp/srtp-key.ts';
import { isSrtpSuite, keyingBytes, type SrtpSuite } from '../media/srtp/srtp-suite.ts';

/** `a=crypto` of one stream that are read; phones write one to eight. */
export const CRYPTO_LINES_MAX = 16;
/** Keys of one line, each with its MKI. */
const KEYS_MAX = 16;
const MKI_BYTES_MAX = 128;
/** What one key may protect at most (RFC 3711 §9.2). */
const LIFETIME_BITS_MAX = 48;
/** Session parameters that change nothing of what we do (RFC 4568 §6.3): no key derivation after the first, a hint of a window. */
const HARMLESS_PARAMETER = /^(KDR=0|WSH=\d{1,5}|-.*)$/i;

/**
 * Reads the value of one `a=crypto` (RFC 4568 §9.1): `<tag> <suite> inline:<key and salt>[|lifetime][|MKI:length] [parameters]`.
 *
 * @returns undefined for what is broken, unknown, or asks for less than encryption and authentication of everything.
 */
export function parseCrypto(value: string): SdesCrypto | undefined {
  const [tagText = '', suite = '', keyText = '', ...parameters] = value.trim().split(/ +/);
  if (!/^[0-9]{1,9}$/.test(tagText) || !isSrtpSuite(suite)) return undefined;
  if (!parameters.every((parameter) => HARMLESS_PARAMETER.test(parameter))) return undefined;
  const texts = keyText.split(';', KEYS_MAX + 1);
  if (texts.length > KEYS_MAX) return undefined;
  const keys = texts.map((text) => parseKey(suite, text));
  if (!keys.every((key) => key !== undefined)) return undefined;
  const [first] = keys;
  const named = keys.every(({ mki }) => mki !== undefined && mki.length === first?.mki?.length);
  return named || keys.length === 1 ? { tag: Number(tagText), suite, keys } : undefined;
}

function parseKey(suite: SrtpSuite, text: string): SrtpKey | undefined {
  const [, encoded, rest] = /^inline:([A-Za-z0-9+/]{20,80}={0,2})((?:\|[^|]{1,200}){0,2})$/i.exec(text) ?? [];
  if (encoded === undefined || rest === undefined) return undefined;
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.length !== keyingBytes(suite)) return undefined;
  const fields = rest.split('|').slice(1);
  const lifetime = fields[0] === undefined || fields[0].includes(':') ? undefined : parseLifetime(fields.shift() ?? '');
  const mki = fields[0] === undefined ? undefined : parseMki(fields.shift() ?? '');
  if (lifetime === 'broken' || mki === 'broken' || fields.length > 0) return undefined;
  return new SrtpKey(suite, bytes, mki, lifetime);
}

/** `2^20` or `1048576`, in packets. */
function parseLifetime(text: string): number | 'broken' {
  const [, power, digits] = /^(?:2\^([0-9]{1,2})|([0-9]{1,15}))$/.exec(text) ?? [];
  const packets = power === undefined ? Number(digits ?? 0) : 2 ** Number(power);
  return packets > 0 && packets <= 2 ** LIFETIME_BITS_MAX ? packets : 'broken';
}

/** `<number>:<bytes>`: what stands in the packets, in so many bytes. */
function parseMki(text: string): Buffer | 'broken' {
  const [, digits, length] = /^([0-9]{1,40}):([0-9]{1,3})$/.exec(text) ?? [];
  const bytes = Number(length ?? 0);
  if (digits === undefined || bytes < 1 || bytes > MKI_BYTES_MAX) return 'broken';
  const hex = BigInt(digits)
    .toString(16)
    .padStart(2 * bytes, '0');
  return hex.length === 2 * bytes ? Buffer.from(hex, 'hex') : 'broken';
}

/** An `a=crypto` of ours, without `a=`: one key, no MKI, the lifetime that the suite has. */
export function writeCrypto({ tag, suite, keys }: SdesCrypto): string {
  return `crypto:${tag} ${suite} inline:${keys[0]?.reveal().toString('base64')}`;
}
