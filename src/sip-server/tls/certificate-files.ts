import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Clock, repeat } from '../../core/clock.ts';
import { errorText, OperatorError } from '../../core/errors.ts';
import type { Logger } from '../../core/logger.ts';
import { type CertificateFacts, examinePair, type TlsPems } from './certificate-pair.ts';
import { makeSelfSigned } from './self-signed.ts';
import { TlsCredentials } from './tls-credentials.ts';

export interface CertificatePaths {
  readonly certFile: string;
  readonly keyFile: string;
  readonly caFile?: string | undefined;
}

/** A new certificate serves at most twice this later: it must read the same two times, since its files come one by one. */
export const LOOK_EVERY_MS = 2_000;
/** From then on its end is spoken of, once a day. */
export const EXPIRES_SOON_MS = 30 * 86_400_000;
const DAY_MS = 86_400_000;
const SELF_SIGNED_DAYS = 397;

/** @throws the error of the file that cannot be read. */
export function readPair({ certFile, keyFile, caFile }: CertificatePaths): TlsPems {
  const text = (path: string): string => readFileSync(path, 'utf8');
  return { cert: text(certFile), key: text(keyFile), ...(caFile !== undefined && { ca: text(caFile) }) };
}

/** Why these files cannot serve, or what they are. Never throws. */
export function examineFiles(paths: CertificatePaths): CertificateFacts | { readonly fault: string } {
  try {
    return examinePair(readPair(paths));
  } catch (error) {
    return { fault: errorText(error) };
  }
}

export const isFault = <T extends object>(found: T | { readonly fault: string }): found is { readonly fault: string } =>
  'fault' in found;

/**
 * A self-signed pair at these paths: made where there is none, or none that lasts. Only its owner may read the key.
 * @returns whether it was made just now.
 */
export function ensureSelfSigned(
  paths: Pick<CertificatePaths, 'certFile' | 'keyFile'>,
  hosts: readonly string[],
  now: Date,
): boolean {
  const found = examineFiles(paths);
  if (!isFault(found) && found.notAfter.getTime() - now.getTime() > EXPIRES_SOON_MS) return false;
  const { cert, key } = makeSelfSigned({ hosts, from: now, days: SELF_SIGNED_DAYS });
  mkdirSync(dirname(paths.keyFile), { recursive: true, mode: 0o700 });
  writeFileSync(paths.keyFile, key, { mode: 0o600 });
  writeFileSync(paths.certFile, cert);
  return true;
}

/**
 * The certificate of this gateway as it stands on disk. New files serve from the next handshake on; those that cannot serve
 * are said once in the log, and what served before goes on serving.
 */
export class CertificateFiles {
  readonly credentials: TlsCredentials;
  readonly counters = { replaced: 0, refused: 0 };
  #facts: CertificateFacts;
  #seen: string; // what was read last, whether it serves or not
  #judged: string;
  #looking = false;
  #spokenMs = Number.NEGATIVE_INFINITY; // of its end
  readonly #stop: () => void;

  /** @throws OperatorError where the files cannot serve. */
  constructor(
    private readonly paths: CertificatePaths,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {
    let pems: TlsPems;
    try {
      pems = readPair(paths);
    } catch (error) {
      throw new OperatorError(`Cannot read the certificate of SIP over TLS: ${errorText(error)}`, { cause: error });
    }
    const facts = examinePair(pems);
    if (isFault(facts)) throw new OperatorError(`${paths.certFile} cannot serve SIP over TLS: ${facts.fault}`);
    this.#facts = facts;
    this.#seen = keyOf(pems);
    this.#judged = this.#seen;
    this.credentials = new TlsCredentials(pems);
    this.#speakOfItsEnd();
    this.#stop = repeat(clock, LOOK_EVERY_MS, () => void this.look());
  }

  /** Of the certificate that serves. */
  get facts(): CertificateFacts {
    return this.#facts;
  }

  /** Reads the files once. Never rejects; called by the clock. */
  async look(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    try {
      const { certFile, keyFile, caFile } = this.paths;
      const text = (path: string): Promise<string> => readFile(path, 'utf8');
      const [cert, key, ca] = await Promise.all([text(certFile), text(keyFile), caFile ? text(caFile) : undefined]);
      this.#judge({ cert, key, ...(ca !== undefined && { ca }) });
    } catch (error) {
      this.#refuse(`unreadable ${(error as NodeJS.ErrnoException).code ?? ''}`, errorText(error));
    } finally {
      this.#looking = false;
    }
    this.#speakOfItsEnd();
  }

  close(): void {
    this.#stop();
  }

  #judge(pems: TlsPems): void {
    const key = keyOf(pems);
    if (this.#settled(key)) return;
    const facts = examinePair(pems);
    if (isFault(facts)) return this.#refuse(key, facts.fault, true);
    const now = this.clock.utc();
    // A backup put back by mistake: whoever asks us would get nothing better than what serves.
    if (facts.notAfter < now && this.#facts.notAfter >= now) return this.#refuse(key, 'the new one has expired', true);
    this.#judged = key;
    this.#facts = facts;
    this.counters.replaced += 1;
    this.credentials.replace(pems);
    this.#spokenMs = Number.NEGATIVE_INFINITY;
    this.logger.info({ names: facts.names, notAfter: facts.notAfter }, 'a new certificate serves SIP over TLS');
  }

  /** True for what was judged already, or was not yet read twice. */
  #settled(key: string): boolean {
    const again = key === this.#seen;
    this.#seen = key;
    return !again || key === this.#judged;
  }

  #refuse(key: string, fault: string, isSettled = false): void {
    if (!isSettled && this.#settled(key)) return;
    this.#judged = key;
    this.counters.refused += 1;
    const { certFile } = this.paths;
    this.logger.error(
      { certFile, fault },
      'the new certificate cannot serve: SIP over TLS goes on with the one before',
    );
  }

  #speakOfItsEnd(): void {
    const leftMs = this.#facts.notAfter.getTime() - this.clock.utc().getTime();
    const nowMs = this.clock.nowMs();
    if (leftMs > EXPIRES_SOON_MS || nowMs - this.#spokenMs < DAY_MS) return;
    this.#spokenMs = nowMs;
    const { notAfter } = this.#facts;
    if (leftMs > 0) this.logger.warn({ notAfter }, 'the certificate of SIP over TLS expires soon');
    else this.logger.error({ notAfter }, 'the certificate of SIP over TLS has expired: peers refuse it');
  }
}

const keyOf = ({ cert, key, ca }: TlsPems): string => JSON.stringify([cert, key, ca]);
