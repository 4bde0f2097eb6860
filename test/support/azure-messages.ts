/** Messages of the service as its own client types them: names of enumerations go over the wire as texts. */
export type Wire<T> = T extends string ? `${T}` : T extends object ? { [K in keyof T]: Wire<T[K]> } : T;

export interface AzureMessage {
  readonly path: string;
  readonly requestId: string;
  readonly contentType: string | undefined;
  readonly body: Buffer;
}

/** @returns why it is refused. */
export function readAzureMessage(data: Buffer, isBinary: boolean): AzureMessage | string {
  let head: string;
  let body: Buffer;
  if (isBinary) {
    if (data.length < 2) return 'no length of headers';
    const length = data.readUInt16BE(0);
    if (data.length < 2 + length) return 'headers shorter than their length';
    head = data.subarray(2, 2 + length).toString('ascii');
    body = data.subarray(2 + length);
  } else {
    const at = data.indexOf('\r\n\r\n');
    if (at < 0) return 'no empty line after the headers';
    head = data.subarray(0, at).toString('ascii');
    body = data.subarray(at + 4);
  }
  const headers = new Map<string, string>();
  for (const line of head.split('\r\n').filter((one) => one !== '')) {
    const pair = /^([\w-]+): ?(.+)$/.exec(line);
    if (!pair) return 'a header without a value';
    headers.set(pair[1]!.toLowerCase(), pair[2]!);
  }
  const path = headers.get('path');
  const requestId = headers.get('x-requestid');
  if (!path) return 'no Path';
  if (!requestId || !/^[0-9a-f]{32}$/i.test(requestId)) return 'no X-RequestId';
  if (Number.isNaN(Date.parse(headers.get('x-timestamp') ?? ''))) return 'no X-Timestamp';
  return { path, requestId, contentType: headers.get('content-type'), body };
}

export function azureText(path: string, requestId: string, body: object): string {
  const type = 'application/json; charset=utf-8';
  return `X-RequestId:${requestId}\r\nContent-Type:${type}\r\nPath:${path}\r\n\r\n${JSON.stringify(body)}`;
}

export function azureBinary(path: string, requestId: string, streamId: string, body: Buffer): Buffer {
  const head = Buffer.from(`X-RequestId:${requestId}\r\nX-StreamId:${streamId}\r\nPath:${path}\r\n`);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(head.length);
  return Buffer.concat([length, head, body]);
}
