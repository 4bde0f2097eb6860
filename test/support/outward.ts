import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const RECORDER = new URL('./outward-recorder.mjs', import.meta.url);

/** What `outward-recorder.mjs` wrote down. */
export interface Outward {
  readonly kind: 'start' | 'tcp' | 'unix' | 'udp' | 'dns';
  readonly to: string; // host:port, path, name; of a start the program
  readonly bytes?: string; // base64, of one write
  readonly pid: number;
  readonly thread: number;
}

/** Everything that leaves a program which is started with `env`. */
export class OutwardRecord {
  readonly #folder = mkdtempSync(join(tmpdir(), 'nidaa-outward-'));
  readonly #file = join(this.#folder, 'outward.jsonl');
  readonly env = { NIDAA_OUTWARD: this.#file, NODE_OPTIONS: `--import=${RECORDER.href}` };

  rows(): Outward[] {
    const lines = readFileSync(this.#file, 'utf8').split('\n').filter(Boolean);
    return lines.map((line) => JSON.parse(line) as Outward);
  }
  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Connections of the network and names that were looked up, by where they lead: nothing of a Unix socket leaves the machine. */
export const hostsOf = (rows: readonly Outward[], kinds: readonly Outward['kind'][] = ['tcp', 'dns']): string[] =>
  [...new Set(rows.filter(({ kind }) => kinds.includes(kind)).map(({ to }) => to))].sort();

/** Every byte that was written there, as text: letters of JSON's escapes too. */
export function textTo(rows: readonly Outward[], to: (host: string) => boolean): string {
  const written = rows
    .filter((row) => row.kind === 'tcp' && to(row.to))
    .map(({ bytes = '' }) => Buffer.from(bytes, 'base64'));
  const raw = unmasked(written);
  return `${raw}\n${raw.replace(/\\u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))}`;
}

/** What clients say over WebSockets is masked (RFC 6455 5.3): as it was written, and unmasked where it is a frame. */
function unmasked(written: readonly Buffer[]): string {
  const all = Buffer.concat(written);
  const texts = [all.toString('utf8')];
  for (let at = 0; at + 6 <= all.length; at += 1) {
    if ((all[at]! & 0x70) !== 0 || (all[at + 1]! & 0x80) === 0) continue;
    const short = all[at + 1]! & 0x7f;
    const head = short === 127 ? 10 : short === 126 ? 4 : 2;
    const length = short === 126 ? all.readUInt16BE(Math.min(at + 2, all.length - 2)) : short;
    if (short === 127 || at + head + 4 + length > all.length || (all[at]! & 0x0f) > 2) continue;
    const mask = all.subarray(at + head, at + head + 4);
    const payload = Buffer.from(all.subarray(at + head + 4, at + head + 4 + length));
    for (let i = 0; i < length; i += 1) payload[i] = payload[i]! ^ mask[i % 4]!;
    texts.push(payload.toString('utf8'));
  }
  return texts.join('\n');
}
