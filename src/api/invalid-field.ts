import type { FastifyError } from 'fastify';
import { type ErrorCode, ServiceError } from '../core/errors.ts';
import { shown } from './characters.ts';

/** A field that is missing has a code of its own where the service names one. */
const MISSING: Readonly<Record<string, ErrorCode>> = {
  text: 'empty_text',
  file: 'empty_file',
  question: 'empty_question',
};
/** So has a value that is not among the known ones. */
const UNKNOWN: Readonly<Record<string, ErrorCode>> = { '/format': 'unknown_format', '/model': 'unknown_model' };

/** The first broken rule of a request as an error: `history[0].text must be string`. */
export function invalidField(error: FastifyError, body: unknown): ServiceError {
  const [broken] = error.validation ?? [];
  if (!broken) return new ServiceError('invalid_request', shown(error.message));
  const path = broken.instancePath;
  const part = error.validationContext ?? 'body';
  if (part === 'body' && path === '' && broken.keyword === 'required') {
    const code = MISSING[String(broken.params['missingProperty'])];
    if (code) return new ServiceError(code);
  }
  const unknown = part === 'body' && broken.keyword === 'enum' ? UNKNOWN[path] : undefined;
  if (unknown) {
    const value = (body as Record<string, unknown>)[path.slice(1)];
    return new ServiceError(unknown, shown(String(value)));
  }
  const field = path
    .replace(/^\//, '')
    .replace(/\/(\d+)(?=\/|$)/g, '[$1]')
    .replaceAll('/', '.');
  return new ServiceError('invalid_request', shown(`${field === '' ? part : field} ${rule(broken)}`));
}

function rule(broken: NonNullable<FastifyError['validation']>[number]): string {
  const { keyword, params, message = 'is invalid' } = broken;
  if (keyword === 'enum') return `must be one of ${(params['allowedValues'] as string[]).join(', ')}`;
  if (keyword === 'additionalProperties') return 'has a name that is not allowed';
  return message;
}
