import type { ListedFile } from '../recording-home.ts';

/** The little XML that S3 is spoken with. What is read comes from the storage that the operator chose, and is bounded by its reader. */

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const unescaped = (text: string): string =>
  text.replace(/&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([0-9a-fA-F]{1,6}));/g, (_, name, decimal, hex) =>
    name
      ? ENTITIES[name]!
      : String.fromCodePoint(Math.min(decimal ? Number(decimal) : Number.parseInt(hex, 16), 0x10ffff)),
  );

/** The text of the first element of that name. */
export function textIn(xml: string, name: string): string | undefined {
  const text = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
  return text === undefined ? undefined : unescaped(text);
}

/** Objects of a list (ListObjectsV2 with `encoding-type=url`), by their whole keys. */
export function listedIn(xml: string): readonly ListedFile[] {
  return [...xml.matchAll(/<Contents>(.*?)<\/Contents>/gs)].map(([, entry]) => ({
    name: decodeURIComponent((textIn(entry!, 'Key') ?? '').replaceAll('+', ' ')),
    bytes: Number(textIn(entry!, 'Size')),
    changed: new Date(textIn(entry!, 'LastModified') ?? 0),
  }));
}

/** What completes an upload of parts, by their entity tags in order. */
export function completion(tags: readonly string[]): string {
  const parts = tags.map((tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>"${tag}"</ETag></Part>`);
  return `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${parts.join('')}</CompleteMultipartUpload>`;
}
