/** The few values of DER (ITU-T X.690) that a certificate is made of. */
const TAGS = { integer: 0x02, bits: 0x03, bytes: 0x04, null: 0x05, oid: 0x06, utf8: 0x0c, sequence: 0x30, set: 0x31 };

/** One value with its tag and length. */
export function der(tag: number | keyof typeof TAGS, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const head = [typeof tag === 'number' ? tag : TAGS[tag]];
  if (content.length < 0x80) head.push(content.length);
  else {
    const length = uintBytes(content.length);
    head.push(0x80 | length.length, ...length);
  }
  return Buffer.concat([Buffer.from(head), content]);
}

function uintBytes(value: number): number[] {
  const bytes: number[] = [];
  for (let left = value; left > 0; left = Math.floor(left / 256)) bytes.unshift(left % 256);
  return bytes;
}

/** A positive integer of these bytes, most significant first. */
export function derUint(bytes: Buffer): Buffer {
  const isNegative = (bytes[0] ?? 0) >= 0x80;
  return der('integer', ...(isNegative ? [Buffer.from([0])] : []), bytes);
}

export const derText = (text: string): Buffer => der('utf8', Buffer.from(text, 'utf8'));
export const derTrue = (): Buffer => der(0x01, Buffer.from([0xff]));

/** `1.2.840.10045.4.3.2`. */
export function derOid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes = [first * 40 + second];
  for (const arc of rest) {
    const sevens = [arc % 128];
    for (let left = Math.floor(arc / 128); left > 0; left = Math.floor(left / 128)) sevens.unshift(0x80 | (left % 128));
    bytes.push(...sevens);
  }
  return der('oid', Buffer.from(bytes));
}

/** UTCTime before 2050, GeneralizedTime from then on, as RFC 5280 §4.1.2.5 has it. */
export function derTime(date: Date): Buffer {
  const digits = date.toISOString().replace(/[-:T]|\.\d+/g, '');
  const isShort = date.getUTCFullYear() < 2050;
  return der(isShort ? 0x17 : 0x18, Buffer.from(isShort ? digits.slice(2) : digits, 'latin1'));
}

/** `[n]` around a value, explicitly. */
export const derContext = (number: number, ...parts: readonly Buffer[]): Buffer => der(0xa0 | number, ...parts);
