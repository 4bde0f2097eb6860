/** What a browser says it is: a name of each, where it is one that is known. */
export interface Device {
  readonly browser: string | undefined;
  readonly system: string | undefined;
}

/** In this order: browsers name those that they want to be taken for, after themselves (RFC 9110 §10.1.5 allows anything). */
const BROWSERS = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:HeadlessChrome|Chrome|CriOS|Chromium)\//],
  ['Safari', /\bSafari\//],
  ['curl', /^curl\//],
] as const;
const SYSTEMS = [
  ['Android', /\bAndroid\b/],
  ['iOS', /\b(?:iPhone|iPad|iPod)\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b|\bMacintosh\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b|\bX11\b/],
] as const;

export function deviceOf(userAgent: string): Device {
  const find = (table: typeof BROWSERS | typeof SYSTEMS): string | undefined =>
    table.find(([, sign]) => sign.test(userAgent))?.[0];
  return { browser: find(BROWSERS), system: find(SYSTEMS) };
}
