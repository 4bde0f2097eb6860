/**
 * Whose clock a number goes by, by its country code (ITU-T E.164). Countries of several zones have the one of most of their
 * people; an order may name another. The longest code that fits is taken.
 */
const ZONES: Readonly<Record<string, string>> = {
  '1': 'America/New_York',
  '20': 'Africa/Cairo',
  '211': 'Africa/Juba',
  '212': 'Africa/Casablanca',
  '213': 'Africa/Algiers',
  '216': 'Africa/Tunis',
  '218': 'Africa/Tripoli',
  '234': 'Africa/Lagos',
  '249': 'Africa/Khartoum',
  '251': 'Africa/Addis_Ababa',
  '252': 'Africa/Mogadishu',
  '254': 'Africa/Nairobi',
  '27': 'Africa/Johannesburg',
  '30': 'Europe/Athens',
  '31': 'Europe/Amsterdam',
  '32': 'Europe/Brussels',
  '33': 'Europe/Paris',
  '34': 'Europe/Madrid',
  '351': 'Europe/Lisbon',
  '353': 'Europe/Dublin',
  '39': 'Europe/Rome',
  '40': 'Europe/Bucharest',
  '41': 'Europe/Zurich',
  '43': 'Europe/Vienna',
  '44': 'Europe/London',
  '45': 'Europe/Copenhagen',
  '46': 'Europe/Stockholm',
  '47': 'Europe/Oslo',
  '48': 'Europe/Warsaw',
  '49': 'Europe/Berlin',
  '60': 'Asia/Kuala_Lumpur',
  '62': 'Asia/Jakarta',
  '63': 'Asia/Manila',
  '65': 'Asia/Singapore',
  '7': 'Europe/Moscow',
  '81': 'Asia/Tokyo',
  '82': 'Asia/Seoul',
  '86': 'Asia/Shanghai',
  '880': 'Asia/Dhaka',
  '90': 'Europe/Istanbul',
  '91': 'Asia/Kolkata',
  '92': 'Asia/Karachi',
  '93': 'Asia/Kabul',
  '94': 'Asia/Colombo',
  '98': 'Asia/Tehran',
  '961': 'Asia/Beirut',
  '962': 'Asia/Amman',
  '963': 'Asia/Damascus',
  '964': 'Asia/Baghdad',
  '965': 'Asia/Kuwait',
  '966': 'Asia/Riyadh',
  '967': 'Asia/Aden',
  '968': 'Asia/Muscat',
  '970': 'Asia/Hebron',
  '971': 'Asia/Dubai',
  '973': 'Asia/Bahrain',
  '974': 'Asia/Qatar',
};
const CODE_DIGITS_MAX = 3;

/** @param number - `+9665...`. @returns undefined where the country is not in the table. */
export function timeZoneOf(number: string): string | undefined {
  for (let digits = CODE_DIGITS_MAX; digits > 0; digits -= 1) {
    const zone = ZONES[number.slice(1, 1 + digits)];
    if (zone !== undefined) return zone;
  }
  return undefined;
}
