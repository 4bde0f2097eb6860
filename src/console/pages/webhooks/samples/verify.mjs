import { createHmac, timingSafeEqual } from 'node:crypto';

/** secret: whsec_..., as it was shown. body: as it came, byte for byte, before anything parses it. */
export function isFromNidaa(secret, headers, body) {
  const id = headers['webhook-id'];
  const timestamp = headers['webhook-timestamp'];
  const isOfNow = Math.abs(Date.now() / 1000 - Number(timestamp)) < 300;
  if (!id || !isOfNow) return false;
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest();
  // Two signatures for a day after a new secret was made.
  return String(headers['webhook-signature'])
    .split(' ')
    .some((one) => {
      const [version, text = ''] = one.split(',');
      const given = Buffer.from(text, 'base64');
      return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
    });
}
