export function isFromNidaa(
  secret: string,
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  body: string | Uint8Array,
): boolean;
