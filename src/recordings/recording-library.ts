import { text } from 'node:stream/consumers';
import type { SealKey } from '../core/sealed-pieces.ts';
import { nodeOf, type RecordingRow, type RecordingRows } from '../store/recordings.ts';
import type { ByteSource } from './byte-source.ts';
import { peaksPath, type RecordingFiles } from './recording-files.ts';
import { type RecordingHome, RecordingHomeAway } from './recording-home.ts';
import { unsealed } from './sealed-file.ts';

/** What is known of a recording from the record of its call. */
export interface RecordedCall {
  readonly id: string;
  readonly recording: string;
  readonly gateway: string;
}

/** On the disk of another node: `not-yet` where it will come to the home that all share. */
export interface Elsewhere {
  readonly elsewhere: 'not-yet' | 'never';
  readonly node: string;
}

export interface RecordingLibraryDeps {
  readonly files: RecordingFiles;
  readonly rows: Pick<RecordingRows, 'get' | 'drop' | 'unwanted' | 'node'>;
  /** Where recordings of all nodes are, and whether new ones go there. */
  readonly home?: { readonly of: RecordingHome; readonly isFilled: boolean };
  /** What sealed files are opened with. */
  readonly keys: readonly SealKey[];
}

/** Recordings of all nodes, as any of them can reach them. */
export class RecordingLibrary {
  constructor(private readonly deps: RecordingLibraryDeps) {}

  /** @returns undefined where there is none. @throws UnknownSealKey, RecordingHomeAway, errors of the database. */
  find(call: RecordedCall): Promise<ByteSource | Elsewhere | undefined> {
    return this.#open(call, (name) => name);
  }

  /** The peaks of a recording, JSON; undefined before they are made. */
  async peaks(call: RecordedCall): Promise<string | Elsewhere | undefined> {
    const found = await this.#open(call, peaksPath);
    if (!found || 'elsewhere' in found) return found;
    return text(found.read({ start: 0, end: found.size - 1 }));
  }

  /** Deletes a recording that is not wanted any more, where this node can. @returns whether it could. */
  async remove(row: Pick<RecordingRow, 'callId' | 'name' | 'place' | 'node'>): Promise<boolean> {
    const { files, rows, home } = this.deps;
    await files.remove(row.name); // also a copy that was left behind, or on a disk that nodes share
    if (row.place === 'node' && row.node !== rows.node) return false;
    if (row.place === 'home' && !home) return false;
    // Of one that was on its way when its node died, the row does not say yet that it has arrived.
    if (home && (row.place === 'home' || home.isFilled)) {
      for (const one of [peaksPath(row.name), row.name]) await home.of.remove(one);
    }
    await rows.drop(row.callId);
    return true;
  }

  /** Deletes the recording of a call whose row says that it is not wanted. Its node does that later where this one cannot. */
  async removeOf(callId: string): Promise<void> {
    const row = await this.deps.rows.get(callId);
    if (row && !row.wanted) await this.remove(row);
  }

  /** Deletes what is not wanted any more and this node can delete. @returns how many; throws what the first failure was. */
  async removeUnwanted(limit: number): Promise<number> {
    const { rows, home } = this.deps;
    let removed = 0;
    let failed: { readonly error: unknown } | undefined;
    for (const row of await rows.unwanted(limit, home !== undefined)) {
      try {
        if (await this.remove(row)) removed += 1;
      } catch (error) {
        failed ??= { error }; // the others need not wait for it
      }
    }
    if (failed) throw failed.error;
    return removed;
  }

  async #open(call: RecordedCall, of: (name: string) => string): Promise<ByteSource | Elsewhere | undefined> {
    const found = await this.#find(call, of);
    return found && !('elsewhere' in found) ? unsealed(found, this.deps.keys) : found;
  }

  async #find(call: RecordedCall, of: (name: string) => string): Promise<ByteSource | Elsewhere | undefined> {
    const { files, rows, home } = this.deps;
    const own = await files.find(of(call.recording));
    if (own) return own;
    const row = await rows.get(call.id);
    if (row?.place === 'home') {
      return home?.of.find(of(row.name)).catch((error: unknown) => Promise.reject(new RecordingHomeAway(error)));
    }
    const node = row?.node ?? nodeOf(call.gateway);
    if (node === rows.node) return row && row.name !== call.recording ? files.find(of(row.name)) : undefined;
    return { elsewhere: home?.isFilled ? 'not-yet' : 'never', node };
  }
}
