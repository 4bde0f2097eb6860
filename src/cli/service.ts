import { readFileSync, statSync } from 'node:fs';
import { ApiClient, type RequestOptions, type ServiceError } from '../client/api-client.ts';
import { type LoadOptions, loadConfig } from '../config/load.ts';
import { OperatorError } from '../core/errors.ts';
import { type Output, standardOutput } from './output.ts';

/** What the commands over the public API share: a client, an output, and where texts and files come from. */
export interface ServiceContext {
  readonly out: Output;
  readonly client: ApiClient;
  readonly options: RequestOptions;
}

export interface ServiceFlags {
  readonly url?: string;
  readonly keyFile?: string;
  readonly token?: string;
  readonly timeout?: number; // seconds
  readonly key?: string;
  readonly json?: boolean;
}

const TEXT_BYTES_MAX = 1024 * 1024;
const FILE_BYTES_MAX = 8 * 1024 * 1024;

/** `--url`, else `NIDAA_URL`, else the gateway of this machine as it is configured. @throws OperatorError. */
function addressOf(flags: ServiceFlags, env: LoadOptions['env']): string {
  const given = flags.url ?? env['NIDAA_URL'];
  if (given) {
    if (!/^https?:\/\/[^\s/]/.test(given))
      throw new OperatorError(`Not an address: ${given}. Example: http://127.0.0.1:8080`);
    return given;
  }
  const { host, port } = loadConfig({ env, secretsOf: [] }).http;
  return `http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${port}`;
}

/** @throws OperatorError when there is no token or no usable address. */
export function serviceContext(flags: ServiceFlags, env: LoadOptions['env']): ServiceContext {
  if (flags.keyFile !== undefined) throw new OperatorError('The public API takes no management key: give a token.');
  const baseUrl = addressOf(flags, env);
  const token = flags.token ?? env['NIDAA_TOKEN'];
  if (!token) throw new OperatorError('No token. Set NIDAA_TOKEN or give --token; `token create` makes one.');
  const timeoutMs = flags.timeout === undefined ? undefined : flags.timeout * 1000;
  return {
    out: standardOutput(flags.json === true),
    client: new ApiClient({ baseUrl, token, ...(timeoutMs && { timeoutMs }) }),
    options: {
      ...(flags.key !== undefined && { idempotencyKey: flags.key }),
      onHeaders: (headers) => {
        if (headers.get('x-service-truncated')) process.stderr.write('note: the text was too long and was cut\n');
      },
    },
  };
}

/** An argument, or standard input for `-`. @throws OperatorError when it is longer than any operation takes. */
export function textOf(argument: string): string {
  if (argument !== '-') return argument;
  const bytes = readFileSync(0);
  if (bytes.length > TEXT_BYTES_MAX) throw new OperatorError('Standard input is too long: 1 MiB is the most.');
  return bytes.toString('utf8').trimEnd();
}

/** A file to send. @throws OperatorError when it is not there or larger than the service takes. */
export function fileOf(path: string): Buffer<ArrayBuffer> {
  const size = statOf(path);
  if (size > FILE_BYTES_MAX) {
    throw new OperatorError(`${path} has ${(size / 1024 / 1024).toFixed(1)} MB; the service takes 8 MB.`);
  }
  return readFileSync(path);
}

function statOf(path: string): number {
  try {
    const stat = statSync(path);
    if (stat.isFile()) return stat.size;
  } catch (error) {
    throw new OperatorError(`${path} cannot be read: ${(error as NodeJS.ErrnoException).code}.`, { cause: error });
  }
  throw new OperatorError(`${path} is not a file.`);
}

/** Exit codes of the commands over the API. */
export const REFUSED = 3;
export const NOT_REACHED = 4;
const NOT_ANSWERED: readonly string[] = ['unreachable', 'untrusted_certificate', 'client_timeout', 'unreadable'];

/** How a failed request ends the program, and what it says. */
export function endOf(error: ServiceError): { readonly exitCode: number; readonly text: string } {
  const isAnswer = !NOT_ANSWERED.includes(error.code);
  const reason = error.reason === undefined ? '' : ` (${error.reason})`;
  return { exitCode: isAnswer ? REFUSED : NOT_REACHED, text: `${error.message}${reason}` };
}
