import type { Config } from '../../config/load.ts';
import { systemClock } from '../../core/clock.ts';
import { errorText } from '../../core/errors.ts';
import { sealKey } from '../../core/sealed-pieces.ts';
import { openS3Home } from '../../recordings/s3/open-s3-home.ts';
import { type Finding, fail, info, ok, warn } from './finding.ts';

const BYTES_PER_MINUTE = { wav: 8_000 * 2 * 2 * 60, g711: 8_000 * 2 * 60 } as const; // stereo, 8 kHz

/** Where recordings go, in what form, and whether that can be written. */
export async function checkRecordings({ media, recordings }: Pick<Config, 'media' | 'recordings'>): Promise<Finding[]> {
  const { archive, encryption } = recordings;
  const megabytes = (BYTES_PER_MINUTE[archive] / 1e6).toFixed(2);
  const sealed = encryption
    ? `encrypted with the key ${sealKey(Buffer.from(encryption.key, 'hex')).id}`
    : 'not encrypted';
  const form = `${archive}, ${megabytes} MB a minute, ${sealed}`;
  const found = media.recording ? info('recordings', form) : info('recordings', 'calls are not recorded');
  return [found, ...(await checkHome(recordings))];
}

async function checkHome({ home, s3 }: Config['recordings']): Promise<Finding[]> {
  if (!s3) return [];
  const { home: bucket, close } = openS3Home(s3, systemClock);
  const where = `bucket ${s3.bucket} at ${new URL(s3.endpoint).host}`;
  try {
    await bucket.list(undefined); // the first to be asked: a refusal of HEAD has no words
    await bucket.probe();
    return [ok('recordings home', `${where} can be written, read and listed`)];
  } catch (error) {
    const how =
      'Look at recordings.s3: endpoint, region, addressing, bucket, keys. These need s3:PutObject, s3:GetObject, s3:DeleteObject, ' +
      's3:ListBucket and s3:AbortMultipartUpload.';
    const why = `${where} cannot be used: ${errorText(error)}`;
    return [home === 's3' ? fail('recordings home', why, how) : warn('recordings home', why, how)];
  } finally {
    close();
  }
}
