import type { Clock } from '../../core/clock.ts';
import { S3Client, type S3Settings } from './s3-client.ts';
import { S3Home } from './s3-home.ts';

export interface S3HomeSettings extends S3Settings {
  readonly prefix: string;
  readonly partMb: number;
}

/** A home with connections of its own. */
export function openS3Home(settings: S3HomeSettings, clock: Clock): { readonly home: S3Home; close(): void } {
  const { prefix, partMb } = settings;
  const client = new S3Client(settings, clock);
  return {
    home: new S3Home({ client, clock, prefix, partBytes: partMb * 1024 * 1024 }),
    close: () => client.close(),
  };
}
