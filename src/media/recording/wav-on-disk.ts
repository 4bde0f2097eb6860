import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { WAV_HEADER_BYTES, type WavFormat, wavHeader } from '../../audio/wav.ts';
import {
  newSealHeader,
  SEAL_HEADER_BYTES,
  SEAL_TAG_BYTES,
  SealedPieces,
  type SealKey,
} from '../../core/sealed-pieces.ts';

/** A WAV that grows. All methods block. @throws what the file system says; what was written until then stays readable. */
export interface WavOnDisk {
  /** Of audio, given to it. */
  readonly dataBytes: number;
  append(bytes: Buffer): void;
  /** Makes the end final and closes. Once. */
  close(): void;
}

/** @throws what the file system says. */
export function createWav(path: string, format: WavFormat, patchEveryBytes: number, seal?: SealKey): WavOnDisk {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const file = openSync(path, 'w', 0o600);
  return seal ? new SealedWav(file, format, seal) : new ClearWav(file, format, patchEveryBytes);
}

/** The header is right at every moment up to the last patch, so a killed process leaves a playable file. */
class ClearWav implements WavOnDisk {
  dataBytes = 0;
  #patchedBytes = 0;

  constructor(
    private readonly file: number,
    private readonly format: WavFormat,
    private readonly patchEveryBytes: number,
  ) {
    this.#patch();
  }

  append(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; ) {
      const written = writeSync(this.file, bytes, at, bytes.length - at, WAV_HEADER_BYTES + this.dataBytes);
      at += written;
      this.dataBytes += written;
    }
    if (this.dataBytes - this.#patchedBytes >= this.patchEveryBytes) this.#patch();
  }

  close(): void {
    try {
      this.#patch(); // also on a full disk: these bytes are already there
    } finally {
      closeSync(this.file);
    }
  }

  #patch(): void {
    writeSync(this.file, wavHeader(this.format, this.dataBytes), 0, WAV_HEADER_BYTES, 0);
    this.#patchedBytes = this.dataBytes;
  }
}

/** Half a second of a telephone call: what is lost with the process beside what waits in the ring. */
const PIECE_BYTES = 16_384;

/** Sealed as it grows. Its header says that the length is not known: nothing that was written is written again. */
class SealedWav implements WavOnDisk {
  dataBytes = 0;
  readonly #pieces: SealedPieces;
  readonly #piece = Buffer.allocUnsafeSlow(PIECE_BYTES);
  #filled = 0;
  #number = 0;

  constructor(
    private readonly file: number,
    format: WavFormat,
    seal: SealKey,
  ) {
    this.#pieces = new SealedPieces(seal, newSealHeader(seal, PIECE_BYTES, true));
    this.#write(this.#pieces.header.bytes, 0);
    this.#take(wavHeader(format));
  }

  append(bytes: Buffer): void {
    this.#take(bytes);
    this.dataBytes += bytes.length;
  }

  close(): void {
    try {
      this.#put(true);
    } finally {
      closeSync(this.file);
    }
  }

  /** The last piece is told apart: one that is full waits until there is more. */
  #take(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; ) {
      if (this.#filled === PIECE_BYTES) this.#put(false);
      const taken = bytes.copy(this.#piece, this.#filled, at);
      this.#filled += taken;
      at += taken;
    }
  }

  #put(isLast: boolean): void {
    const sealed = this.#pieces.seal(this.#number, isLast, this.#piece.subarray(0, this.#filled));
    this.#write(sealed, SEAL_HEADER_BYTES + this.#number * (PIECE_BYTES + SEAL_TAG_BYTES));
    this.#number += 1;
    this.#filled = 0;
  }

  #write(bytes: Buffer, position: number): void {
    for (let at = 0; at < bytes.length; ) at += writeSync(this.file, bytes, at, bytes.length - at, position + at);
  }
}
