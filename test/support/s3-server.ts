import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface S3Object {
  readonly bytes: Buffer;
  readonly etag: string;
  readonly meta: Readonly<Record<string, string>>;
  changed: Date;
}
interface Upload {
  readonly key: string;
  readonly meta: Readonly<Record<string, string>>;
  readonly parts: Map<number, { readonly bytes: Buffer; readonly md5: Buffer }>;
}

export const S3_KEYS = { accessKeyId: 'AKIDTEST', secretAccessKey: 'secret/of+the=test' };
const REGION = 'me-south-1';
const BUCKET = 'calls';
const PART_BYTES_MIN = 5 * 1024 * 1024;
const CLOCK_SKEW_MS = 15 * 60_000;
const PAGE_MAX = 1_000;

class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
  ) {
    super(code);
  }
}

const sha256 = (data: Buffer | string): string => createHash('sha256').update(data).digest('hex');
const md5 = (data: Buffer): Buffer => createHash('md5').update(data).digest();
const hmac = (key: Buffer | string, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const rfc3986 = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * An S3-compatible storage with one bucket in memory, as strict as the real ones: it believes a request by its signature
 * (AWS Signature Version 4), takes bodies by their hashes, and parts by the rules of multipart uploads.
 */
export class S3Server {
  readonly objects = new Map<string, S3Object>();
  readonly uploads = new Map<string, Upload>();
  /** Requests that were believed, and those that were refused but for what is not there, `METHOD /path`, in order. */
  readonly asked: string[] = [];
  readonly refused: string[] = [];
  /** Called before a request is served: may answer it by itself (true), or break it off. */
  before: (request: IncomingMessage, response: ServerResponse) => boolean = () => false;
  /** Tells tags that are no MD5, as a storage that encrypts. */
  tagsAreOpaque = false;
  /** Damages what is kept. */
  damage: ((bytes: Buffer) => Buffer) | undefined;
  #server: Server | undefined;
  #port = 0;
  #nextUpload = 1;

  static async start(): Promise<S3Server> {
    const server = new S3Server();
    await server.begin();
    return server;
  }

  get settings() {
    const endpoint = `http://127.0.0.1:${this.#port}`;
    return { endpoint, region: REGION, bucket: BUCKET, addressing: 'path' as 'path' | 'host', ...S3_KEYS };
  }

  /** On the port it had before, where it had one. */
  async begin(): Promise<void> {
    const server = createServer((request, response) => void this.#serve(request, response));
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  /** As if the machine were gone: every connection breaks. What it keeps it keeps. */
  async kill(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (!server) return;
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const what = `${request.method} ${request.url}`;
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    try {
      if (this.before(request, response)) return;
      const body = await buffer(request);
      this.#believe(request, body);
      this.asked.push(what);
      this.#answer(request, response, body);
    } catch (error) {
      if (!(error instanceof Refusal)) return void request.destroy();
      if (error.status !== 404) this.refused.push(`${what} ${error.code}`);
      const text = `<?xml version="1.0"?><Error><Code>${error.code}</Code></Error>`;
      response.writeHead(error.status, { 'content-type': 'application/xml' });
      response.end(request.method === 'HEAD' ? '' : text);
    }
  }

  /** @throws Refusal */
  #believe(request: IncomingMessage, body: Buffer): void {
    const { headers } = request;
    const match =
      /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/;
    const [, id, day, region, signed, signature] = match.exec(headers.authorization ?? '') ?? [];
    if (!id || !day || !signed) throw new Refusal(403, 'AccessDenied');
    if (id !== S3_KEYS.accessKeyId) throw new Refusal(403, 'InvalidAccessKeyId');
    if (region !== REGION) throw new Refusal(400, 'AuthorizationHeaderMalformed');
    const date = String(headers['x-amz-date']);
    const [, y, mo, d, h, mi, s] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date) ?? [];
    const atMs = Date.UTC(Number(y), Number(mo) - 1, Number(d), Number(h), Number(mi), Number(s));
    if (!(Math.abs(Date.now() - atMs) < CLOCK_SKEW_MS) || !date.startsWith(day))
      throw new Refusal(403, 'RequestTimeTooSkewed');
    const names = signed.split(';');
    if (!names.includes('host')) throw new Refusal(403, 'AccessDenied');
    // Whatever says what is to be done is signed.
    const loose = Object.keys(headers).filter((name) => name.startsWith('x-amz-') && !names.includes(name));
    if (loose.length > 0 || (headers['content-md5'] !== undefined && !names.includes('content-md5'))) {
      throw new Refusal(403, 'AccessDenied');
    }
    const [path = '', search = ''] = (request.url ?? '').split('?');
    const query = search
      .split('&')
      .filter(Boolean)
      .map((pair) => pair.split('=').map((part) => rfc3986(decodeURIComponent(part))))
      .map(([name, value = '']) => `${name}=${value}`)
      .sort();
    const contentHash = String(headers['x-amz-content-sha256']);
    const canonical = [
      ...[
        request.method,
        path
          .split('/')
          .map((part) => rfc3986(decodeURIComponent(part)))
          .join('/'),
        query.join('&'),
      ],
      ...[...names.map((name) => `${name}:${String(headers[name]).trim().replace(/\s+/g, ' ')}`), ''],
      ...[names.join(';'), contentHash],
    ].join('\n');
    const scope = `${day}/${region}/s3/aws4_request`;
    const key = hmac(hmac(hmac(hmac(`AWS4${S3_KEYS.secretAccessKey}`, day), region), 's3'), 'aws4_request');
    const toSign = ['AWS4-HMAC-SHA256', date, scope, sha256(canonical)].join('\n');
    if (hmac(key, toSign).toString('hex') !== signature) throw new Refusal(403, 'SignatureDoesNotMatch');
    if (contentHash !== sha256(body)) throw new Refusal(400, 'XAmzContentSHA256Mismatch');
    const told = headers['content-md5'];
    if (told !== undefined && told !== md5(body).toString('base64')) throw new Refusal(400, 'BadDigest');
  }

  #answer(request: IncomingMessage, response: ServerResponse, body: Buffer): void {
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
    const path = decodeURIComponent(url.pathname);
    const isHost = url.hostname.startsWith(`${BUCKET}.`);
    if (!isHost && path !== `/${BUCKET}` && !path.startsWith(`/${BUCKET}/`)) throw new Refusal(404, 'NoSuchBucket');
    const key = path.slice(isHost ? 1 : BUCKET.length + 2);
    const of = (name: string): string | null => url.searchParams.get(name);
    if (key === '') return this.#list(url.searchParams, response);
    if (request.method === 'POST' && of('uploads') !== null) return this.#beginUpload(key, request, response);
    const uploadId = of('uploadId');
    if (uploadId !== null)
      return this.#upload(request, response, body, { key, uploadId, part: Number(of('partNumber')) });
    if (request.method === 'PUT') {
      const etag = this.#keep(key, body, md5(body).toString('hex'), metaOf(request));
      return void response.writeHead(200, { etag }).end();
    }
    if (request.method === 'DELETE') {
      this.objects.delete(key);
      return void response.writeHead(204).end();
    }
    this.#get(key, request, response);
  }

  #keep(key: string, bytes: Buffer, tag: string, meta: Readonly<Record<string, string>>): string {
    const kept = this.damage ? this.damage(bytes) : bytes;
    const told = kept === bytes ? tag : md5(kept).toString('hex');
    const etag = this.tagsAreOpaque ? `"opaque-${sha256(kept).slice(0, 16)}"` : `"${told}"`;
    this.objects.set(key, { bytes: kept, etag, meta, changed: new Date() });
    return etag;
  }

  #get(key: string, { method, headers }: IncomingMessage, response: ServerResponse): void {
    const found = this.objects.get(key);
    if (!found) throw new Refusal(404, method === 'HEAD' ? 'NotFound' : 'NoSuchKey');
    if (headers['if-match'] !== undefined && headers['if-match'] !== found.etag)
      throw new Refusal(412, 'PreconditionFailed');
    const { bytes, etag, meta, changed } = found;
    const told = { etag, 'last-modified': changed.toUTCString(), 'accept-ranges': 'bytes', ...meta };
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
    if (from === undefined) {
      response.writeHead(200, { ...told, 'content-length': bytes.length });
      return void response.end(method === 'HEAD' ? '' : bytes);
    }
    if (Number(from) >= bytes.length) throw new Refusal(416, 'InvalidRange');
    const end = Math.min(Number(to), bytes.length - 1);
    const range = `bytes ${from}-${end}/${bytes.length}`;
    response.writeHead(206, { ...told, 'content-range': range, 'content-length': end - Number(from) + 1 });
    response.end(bytes.subarray(Number(from), end + 1));
  }

  #list(query: URLSearchParams, response: ServerResponse): void {
    if (query.get('list-type') !== '2') throw new Refusal(501, 'NotImplemented');
    const [prefix, after] = [query.get('prefix') ?? '', query.get('start-after') ?? ''];
    const max = Math.min(PAGE_MAX, Number(query.get('max-keys') ?? PAGE_MAX));
    const found = [...this.objects]
      .filter(([key]) => key.startsWith(prefix) && key > after)
      .sort(([a], [b]) => (a < b ? -1 : 1));
    const items = found.slice(0, max).map(([key, { bytes, changed, etag }]) => {
      const tag = etag.replaceAll('"', '&quot;');
      const when = `<LastModified>${changed.toISOString()}</LastModified>`;
      return `<Contents><Key>${encodeURIComponent(key)}</Key>${when}<ETag>${tag}</ETag><Size>${bytes.length}</Size></Contents>`;
    });
    response.writeHead(200, { 'content-type': 'application/xml' });
    response.end(
      `<ListBucketResult><IsTruncated>${found.length > max}</IsTruncated>${items.join('')}</ListBucketResult>`,
    );
  }

  #beginUpload(key: string, request: IncomingMessage, response: ServerResponse): void {
    const id = `upload/${this.#nextUpload++}+`;
    this.uploads.set(id, { key, meta: metaOf(request), parts: new Map() });
    response.end(
      `<InitiateMultipartUploadResult><Key>${key}</Key><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
    );
  }

  #upload(
    { method }: IncomingMessage,
    response: ServerResponse,
    body: Buffer,
    { key, uploadId, part }: { readonly key: string; readonly uploadId: string; readonly part: number },
  ): void {
    const upload = this.uploads.get(uploadId);
    if (!upload || upload.key !== key) throw new Refusal(404, 'NoSuchUpload');
    if (method === 'DELETE') {
      this.uploads.delete(uploadId);
      return void response.writeHead(204).end();
    }
    if (method === 'PUT') {
      if (!(part >= 1 && part <= 10_000)) throw new Refusal(400, 'InvalidArgument');
      upload.parts.set(part, { bytes: body, md5: md5(body) });
      return void response.writeHead(200, { etag: `"${md5(body).toString('hex')}"` }).end();
    }
    const named = [
      ...body.toString().matchAll(/<Part><PartNumber>(\d+)<\/PartNumber><ETag>"?([0-9a-f]+)"?<\/ETag><\/Part>/g),
    ];
    const parts = named.map(([, number, tag]) => ({
      number: Number(number),
      tag,
      kept: upload.parts.get(Number(number)),
    }));
    if (parts.length === 0) throw new Refusal(400, 'MalformedXML');
    if (parts.some(({ kept, tag }) => kept?.md5.toString('hex') !== tag)) throw new Refusal(400, 'InvalidPart');
    if (parts.some(({ number }, at) => at > 0 && number <= parts[at - 1]!.number))
      throw new Refusal(400, 'InvalidPartOrder');
    if (parts.slice(0, -1).some(({ kept }) => kept!.bytes.length < PART_BYTES_MIN))
      throw new Refusal(400, 'EntityTooSmall');
    const tag = `${md5(Buffer.concat(parts.map(({ kept }) => kept!.md5))).toString('hex')}-${parts.length}`;
    const etag = this.#keep(key, Buffer.concat(parts.map(({ kept }) => kept!.bytes)), tag, upload.meta);
    this.uploads.delete(uploadId);
    const text = `<CompleteMultipartUploadResult><ETag>${etag.replaceAll('"', '&quot;')}</ETag></CompleteMultipartUploadResult>`;
    response.writeHead(200, { 'content-type': 'application/xml' }).end(text);
  }
}

const metaOf = ({ headers }: IncomingMessage): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      /^x-amz-meta-|^content-type$/.test(name) ? [[name, String(value)]] : [],
    ),
  );
