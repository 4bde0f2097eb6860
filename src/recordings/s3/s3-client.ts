import { createHash } from 'node:crypto';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { pipeline, Readable } from 'node:stream';
import { AwsV4Signer } from 'aws4fetch';
import type { Clock } from '../../core/clock.ts';

export interface S3Settings {
  readonly endpoint: string; // http(s)://host[:port]
  readonly region: string;
  readonly bucket: string;
  /** Where the bucket stands in an address: in its path, or before the name of the host. */
  readonly addressing: 'path' | 'host';
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** What is sent: read while it is sent, its hash known before (AWS Signature Version 4, `x-amz-content-sha256`). */
export interface S3Body {
  readonly bytes: number;
  readonly sha256: string; // hex
  open(): Readable;
}

export interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  readonly key?: string; // without it the bucket itself
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: S3Body | string;
  readonly signal?: AbortSignal;
}

/** An answer that is no success, with the code that the storage gives (`NoSuchKey`, `SlowDown`, ...). */
export class S3Error extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    what: string,
  ) {
    super(`${what}: ${status} ${code}`);
    this.name = 'S3Error';
  }
}

/** Nothing is heard or taken for so long: the storage is away. */
const SILENT_MS_MAX = 30_000;
const SOCKETS_MAX = 32;
/** Answers that are read whole: lists of a thousand names, faults. */
const TEXT_BYTES_MAX = 4 * 1024 * 1024;
const SIGNING_KEYS_MAX = 4; // one a day

export const EMPTY_SHA256 = createHash('sha256').digest('hex');

/** Requests to one bucket of an S3-compatible storage. Keys and their values are in no error and no log. */
export class S3Client {
  readonly #agent: http.Agent;
  readonly #send: typeof http.request;
  readonly #base: URL;
  readonly #signingKeys = new Map<string, ArrayBuffer>();

  constructor(
    private readonly settings: S3Settings,
    private readonly clock: Clock,
  ) {
    const base = new URL(settings.endpoint);
    if (settings.addressing === 'host') base.hostname = `${settings.bucket}.${base.hostname}`;
    else base.pathname = `${base.pathname.replace(/\/$/, '')}/${settings.bucket}`;
    this.#base = base;
    const isTls = base.protocol === 'https:';
    this.#send = isTls ? https.request : http.request;
    this.#agent = new (isTls ? https : http).Agent({ keepAlive: true, maxSockets: SOCKETS_MAX });
  }

  /**
   * Sends a request and waits for the head of its answer, whose body is to be read or destroyed.
   *
   * @throws S3Error for every answer but a success; errors of the network as they are.
   */
  async ask(request: S3Request): Promise<IncomingMessage> {
    const body = typeof request.body === 'string' ? bodyOf(request.body) : request.body;
    const signed = await this.#signed(request, body);
    const answer = await this.#sent(signed, request, body);
    const status = answer.statusCode ?? 0;
    if (status >= 200 && status < 300) return answer;
    const what = `${request.method} ${request.key === undefined ? 'of the bucket' : 'of an object'}`;
    throw new S3Error(status, codeIn(await textOf(answer).catch(() => '')), what);
  }

  /** As `ask`, with the whole answer. Some storages say only there that something failed. @throws S3Error */
  async askText(request: S3Request): Promise<string> {
    const answer = await this.ask(request);
    const text = await textOf(answer);
    if (/<Error>/.test(text)) throw new S3Error(answer.statusCode ?? 0, codeIn(text), request.method);
    return text;
  }

  close(): void {
    this.#agent.destroy();
  }

  async #signed({ method, key, query = {}, headers = {} }: S3Request, body?: S3Body): Promise<AwsV4Signer> {
    const { accessKeyId, secretAccessKey, sessionToken, region } = this.settings;
    const url = new URL(this.#base);
    const path = url.pathname.replace(/\/$/, '');
    url.pathname = key === undefined ? path || '/' : `${path}/${key.split('/').map(encodeURIComponent).join('/')}`;
    // `+` would be read as a space by some and as itself by others.
    url.search = Object.entries(query)
      .map((pair) => pair.map(encodeURIComponent).join('='))
      .join('&');
    if (this.#signingKeys.size > SIGNING_KEYS_MAX) this.#signingKeys.clear();
    const signer = new AwsV4Signer({
      ...{ method, url: url.href, region, service: 's3', accessKeyId, secretAccessKey, cache: this.#signingKeys },
      headers: { ...headers, 'x-amz-content-sha256': body?.sha256 ?? EMPTY_SHA256 },
      datetime: this.clock
        .utc()
        .toISOString()
        .replace(/[:-]|\.\d{3}/g, ''),
      ...(sessionToken !== undefined && { sessionToken }),
    });
    await signer.sign();
    return signer;
  }

  #sent({ url, headers, method }: AwsV4Signer, { signal }: S3Request, body?: S3Body): Promise<IncomingMessage> {
    const length = body || method === 'PUT' || method === 'POST' ? { 'content-length': body?.bytes ?? 0 } : {};
    return new Promise((resolve, reject) => {
      const request = this.#send(url, {
        ...{ method, agent: this.#agent, headers: { ...Object.fromEntries(headers), ...length } },
        ...(signal && { signal }),
      });
      request.setTimeout(SILENT_MS_MAX, () => request.destroy(new Error('the storage does not answer')));
      request.on('error', reject); // of a request that was answered nobody waits
      request.once('response', resolve);
      if (!body) request.end();
      else pipeline(body.open(), request, (error) => error && reject(error));
    });
  }
}

const bodyOf = (text: string): S3Body => {
  const bytes = Buffer.from(text);
  return {
    ...{ bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') },
    open: () => Readable.from([bytes], { objectMode: false }),
  };
};

async function textOf(answer: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of answer) {
    bytes += (piece as Buffer).length;
    if (bytes > TEXT_BYTES_MAX) throw new Error('the storage answers with too much');
    pieces.push(piece as Buffer);
  }
  return Buffer.concat(pieces).toString('utf8');
}

const codeIn = (xml: string): string => /<Code>([A-Za-z0-9._-]{1,64})<\/Code>/.exec(xml)?.[1] ?? 'unknown';
