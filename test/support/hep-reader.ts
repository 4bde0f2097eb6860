/** One HEP3 packet as its reader sees it: by the chunk list of the format, with nothing of the writer's. */
export interface ReadHep {
  readonly family: number | undefined;
  readonly protocol: number | undefined;
  readonly source: string;
  readonly destination: string;
  readonly atMs: number;
  readonly payloadType: number | undefined;
  readonly captureId: number | undefined;
  readonly password: string | undefined;
  readonly payload: string;
}

export function readHep(packet: Buffer): ReadHep {
  if (packet.toString('latin1', 0, 4) !== 'HEP3') throw new Error('no HEP3');
  if (packet.readUInt16BE(4) !== packet.length) throw new Error(`${packet.readUInt16BE(4)} is not ${packet.length}`);
  const chunks = new Map<number, Buffer>();
  for (let at = 6; at < packet.length; ) {
    if (packet.readUInt16BE(at) !== 0) throw new Error('a chunk of a vendor');
    const bytes = packet.readUInt16BE(at + 4);
    chunks.set(packet.readUInt16BE(at + 2), packet.subarray(at + 6, at + bytes));
    at += bytes;
  }
  const number = (type: number): number | undefined => {
    const value = chunks.get(type);
    return value && Number.parseInt(value.toString('hex'), 16);
  };
  const host = (v4: number, v6: number): string =>
    chunks.has(v4) ? [...chunks.get(v4)!].join('.') : (chunks.get(v6)?.toString('hex') ?? '?');
  return {
    ...{ family: number(1), protocol: number(2), payloadType: number(11), captureId: number(12) },
    source: `${host(3, 5)}:${number(7)}`,
    destination: `${host(4, 6)}:${number(8)}`,
    atMs: (number(9) ?? 0) * 1000 + (number(10) ?? 0) / 1000,
    password: chunks.get(14)?.toString(),
    payload: chunks.get(15)?.toString('latin1') ?? '',
  };
}

/** The packets of a stream, whose length they say themselves. */
export function hepStream(bytes: Buffer): ReadHep[] {
  const found: ReadHep[] = [];
  for (let at = 0; at + 6 <= bytes.length; ) {
    const end = at + bytes.readUInt16BE(at + 4);
    if (end > bytes.length) break;
    found.push(readHep(bytes.subarray(at, end)));
    at = end;
  }
  return found;
}
