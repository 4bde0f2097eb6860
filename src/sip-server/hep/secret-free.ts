/** Headers whose values are worth stealing: they let others call in a name that is not theirs, or guess a password. */
const SECRET_HEADER = /^(?:proxy-)?(?:authorization|authentication-info)[ \t]*:/i;
const REMOVED = ' (removed)';
/** Keys of SDES (RFC 4568), also as attributes of a capability (RFC 5939), and those of older ways. */
const KEYS = [/(\binline:)([^\s;|]+)/gi, /(^a=key-mgmt:)(.*)$/gim, /(^k=)(.*)$/gim];

/** Digits that a caller presses are card numbers and PINs (`application/dtmf-relay`, and `application/dtmf` with the key alone). */
const DTMF_TYPE = /^(?:content-type|c)[ \t]*:[ \t]*application\/dtmf(?:-relay)?[ \t]*(?:;|\r?$)/im;
const PRESSED = [/(^[ \t]*signal[ \t]*=[ \t]*)([^\r\n]+)/gim, /^([ \t]*)([0-9*#A-D]{1,2})(?=[ \t]*\r?$)/gim];
/** `sip:user:password@host`. */
const URI_PASSWORD = /(sips?:[^:@;<>\s,]{1,128}):[^@<>\s,]{1,128}@/gi;

/**
 * A SIP message without what is secret in it, for copies that leave the machine: values of `Authorization` and the like are taken
 * out, media keys and keys that were pressed are overwritten, so that Content-Length stays right. Bytes that are no SIP message
 * come back with the same taken out, wherever it stands.
 */
export function secretFree(message: Buffer): Buffer {
  const text = message.toString('latin1'); // each byte is a character: nothing else changes
  const end = text.search(/\r?\n\r?\n/);
  const head = end < 0 ? text : text.slice(0, end);
  const body = end < 0 ? '' : text.slice(end);
  const secrets = DTMF_TYPE.test(head) ? [...KEYS, ...PRESSED] : KEYS;
  const [cleanHead, cleanBody] = [withoutHeaders(head), without(secrets, body)];
  if (cleanHead === head && cleanBody === body) return message;
  return Buffer.from(cleanHead + cleanBody, 'latin1');
}

function withoutHeaders(head: string): string {
  let isSecret = false;
  const lines: string[] = [];
  for (const line of head.split('\n')) {
    const goesOn = /^[ \t]/.test(line); // a folded line belongs to the one before
    if (goesOn && isSecret) continue;
    isSecret = !goesOn && SECRET_HEADER.test(line);
    const plain = line.replace(URI_PASSWORD, (_all, user: string) => `${user}:${REMOVED.trim()}@`);
    lines.push(
      isSecret ? `${line.slice(0, line.indexOf(':') + 1)}${REMOVED}${line.endsWith('\r') ? '\r' : ''}` : plain,
    );
  }
  return lines.join('\n');
}

function without(secrets: readonly RegExp[], body: string): string {
  return secrets.reduce(
    (text, key) => text.replace(key, (_all, before: string, secret: string) => before + secret.replace(/[^\r]/g, 'x')),
    body,
  );
}
