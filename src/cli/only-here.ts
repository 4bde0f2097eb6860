import { OperatorError } from '../core/errors.ts';
import type { FarFlags } from './remote/far-gateway.ts';

/** @throws OperatorError where a command that works on this machine alone is given another gateway. NIDAA_URL is for others. */
export function onlyHere({ url, keyFile }: FarFlags, why: string): void {
  if (url !== undefined || keyFile !== undefined) throw new OperatorError(`${why}: leave out --url and --key-file.`);
}
