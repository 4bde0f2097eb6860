/** Whether the digits satisfy Luhn's rule (ISO/IEC 7812-1 annex B): national IDs, Iqamas and payment cards do. */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = digits.charCodeAt(digits.length - 1 - index) - 0x30;
    if (index % 2 === 0) sum += digit;
    else sum += digit > 4 ? 2 * digit - 9 : 2 * digit;
  }
  return digits.length > 0 && sum % 10 === 0;
}

/** Whether an IBAN in lower case without separators has the remainder 1 (ISO 13616, ISO 7064 mod 97-10). */
export function passesMod97(iban: string): boolean {
  if (iban.length < 5) return false;
  let remainder = 0;
  for (let index = 0; index < iban.length; index += 1) {
    const code = iban.charCodeAt((index + 4) % iban.length);
    if (code >= 0x30 && code <= 0x39) remainder = (remainder * 10 + code - 0x30) % 97;
    else if (code >= 0x61 && code <= 0x7a) remainder = (remainder * 100 + code - 0x57) % 97;
    else return false;
  }
  return remainder === 1;
}

/** Lengths of IBANs by country: Saudi Arabia, its neighbours, and where its residents bank most. */
export const IBAN_LENGTHS: ReadonlyMap<string, number> = new Map([
  ['sa', 24],
  ['ae', 23],
  ['bh', 22],
  ['kw', 30],
  ['qa', 29],
  ['om', 23],
  ['jo', 30],
  ['eg', 29],
  ['lb', 28],
  ['iq', 23],
  ['ps', 29],
  ['tn', 24],
  ['tr', 26],
  ['pk', 24],
  ['gb', 22],
  ['de', 22],
  ['fr', 27],
  ['es', 24],
  ['it', 27],
  ['nl', 18],
  ['be', 16],
  ['ch', 21],
  ['at', 20],
]);

/** Issuer ranges a number of 13 to 19 digits must begin with to be taken for a card when nothing says so. */
export function isCardRange(digits: string): boolean {
  const { length } = digits;
  switch (digits.charAt(0)) {
    case '4':
      return length === 13 || length === 16 || length === 19;
    case '3':
      if (length === 15) return /^3[47]/.test(digits);
      return length === 14 ? /^3[068]/.test(digits) : length >= 16 && digits.startsWith('35');
    case '5':
    case '6':
      return length >= 16;
    case '2':
      return length >= 16 && digits >= '2221' && digits < '2721';
    default:
      return length >= 16 && digits.startsWith('9682');
  }
}
