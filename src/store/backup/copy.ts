import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import copyStreams from 'pg-copy-streams';

/** What `COPY ... TO STDOUT` gives, piece by piece; whoever reads slowly slows the server down. @throws what it fails with. */
export function copyOut(client: pg.Client, sql: string): AsyncIterable<Buffer> {
  return client.query(copyStreams.to(sql));
}

/** Feeds `COPY ... FROM STDIN`. @returns how many rows it has taken. @throws what it, or `pieces`, fails with. */
export async function copyIn(client: pg.Client, sql: string, pieces: AsyncIterable<Uint8Array>): Promise<number> {
  const into = client.query(copyStreams.from(sql));
  await pipeline(pieces, into);
  return into.rowCount;
}
