/** Made-up identifiers with right check digits, for tests: IDs begin 19 and 29, ranges that are not issued. */

function luhnDigit(body: string): string {
  for (let digit = 0; digit < 10; digit += 1) if (luhnSum(body + digit) % 10 === 0) return String(digit);
  throw new Error('unreachable');
}

function luhnSum(digits: string): number {
  return [...digits].reverse().reduce((sum, character, index) => {
    const digit = Number(character) * (index % 2 === 0 ? 1 : 2);
    return sum + (digit > 9 ? digit - 9 : digit);
  }, 0);
}

/** `body`: 7 digits. */
export function nationalId(body: string): string {
  return `19${body}${luhnDigit(`19${body}`)}`;
}
export function iqama(body: string): string {
  return `29${body}${luhnDigit(`29${body}`)}`;
}
/** `body`: 14 digits; a card of 16 that begins with 4. */
export function card(body: string): string {
  return `4${body}${luhnDigit(`4${body}`)}`;
}

/** `bban`: 20 digits or capitals. */
export function saudiIban(bban: string): string {
  const number = [...`${bban}SA00`].map((character) => Number.parseInt(character, 36)).join('');
  return `SA${String(98n - (BigInt(number) % 97n)).padStart(2, '0')}${bban}`;
}

export const ARABIC_INDIC = (text: string): string =>
  text.replace(/[0-9]/g, (digit) => String.fromCharCode(0x660 + Number(digit)));
export const PERSIAN = (text: string): string =>
  text.replace(/[0-9]/g, (digit) => String.fromCharCode(0x6f0 + Number(digit)));

/** Only the digits of a text, as 0-9. */
export function digitsOf(text: string): string {
  return text
    .replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
    .replace(/[۰-۹]/g, (digit) => String(digit.charCodeAt(0) - 0x6f0))
    .replace(/[^0-9]/g, '');
}
