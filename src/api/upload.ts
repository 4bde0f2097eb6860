import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ServiceError } from '../core/errors.ts';
import { LIMITS } from './schemas.ts';

/** A file as it was sent. */
export interface Upload {
  readonly bytes: Uint8Array;
  readonly mediaType: string | undefined; // as declared
  readonly filename: string | undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    upload: Upload | undefined;
  }
}

/** Base64 makes 8 MB out of 6: an upload in JSON needs this much room. */
export const UPLOAD_BODY_BYTES = 12 * 1024 * 1024;
const FORM_OVERHEAD_BYTES = 64 * 1024; // boundaries, part headers and the text fields
/** Uploads in memory at once; 16 of them are half a gigabyte at worst. */
const UPLOADS_AT_ONCE = 16;
const FIELDS_MAX = 10;
const FIELD_BYTES_MAX = 16 * 1024;

/** Routes of `scope` take `multipart/form-data` as well: text fields become the body, the part `file` becomes `upload`. */
export async function useUploads(scope: FastifyInstance): Promise<void> {
  // The form reader logs all it was given at level `trace`: the headers of the request, and with them its token.
  scope.setChildLoggerFactory((logger, bindings, options) =>
    logger.child(bindings, { ...options, serializers: { ...options.serializers, busboyOptions: () => undefined } }),
  );
  await scope.register(multipart, {
    limits: {
      fileSize: LIMITS.fileBytes,
      files: 1,
      fields: FIELDS_MAX,
      parts: FIELDS_MAX + 1,
      fieldSize: FIELD_BYTES_MAX,
      headerPairs: 20,
    },
  });
  scope.decorateRequest('upload', undefined);
  let uploads = 0;
  scope.addHook('preParsing', (request, reply, payload, done) => {
    const isForm = request.headers['content-type']?.toLowerCase().startsWith('multipart/form-data');
    const length = Number(request.headers['content-length'] ?? 0);
    if (isForm && length > LIMITS.fileBytes + FORM_OVERHEAD_BYTES) return done(new ServiceError('file_too_large'));
    if (uploads >= UPLOADS_AT_ONCE) return done(new ServiceError('unavailable'));
    uploads += 1;
    reply.raw.once('close', () => {
      uploads -= 1;
    });
    done(null, payload);
  });
  scope.addHook('preValidation', async (request) => {
    if (!request.isMultipart()) return;
    try {
      request.body = await readForm(request);
    } catch (error) {
      // The form reader's own limits have a status; a broken form is a plain error.
      if (error instanceof ServiceError || (error as { statusCode?: number }).statusCode !== undefined) throw error;
      throw new ServiceError('invalid_request', 'the form could not be read', { cause: error });
    }
  });
}

/** The text fields; `file` stands for the upload itself, so that one schema checks both forms. */
async function readForm(request: FastifyRequest): Promise<Record<string, string>> {
  const fields: Record<string, string> = Object.create(null) as Record<string, string>;
  for await (const part of request.parts()) {
    if (part.type === 'field') {
      if (part.valueTruncated) throw new ServiceError('invalid_request', `${part.fieldname.slice(0, 40)} is too long`);
      if (typeof part.value === 'string') fields[part.fieldname] = part.value;
      continue;
    }
    const bytes = await part.toBuffer();
    if (part.fieldname !== 'file') continue;
    request.upload = { bytes, mediaType: part.mimetype, filename: part.filename };
    fields['file'] = '';
  }
  // A text field named `file` is no upload.
  if (!request.upload) delete fields['file'];
  return fields;
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const DATA_URL = /^data:([^,]{0,200}?);base64,/i;

/**
 * The file of a request in either form.
 *
 * @throws ServiceError `empty_file`, `file_too_large`, or `invalid_request` for text that is not base64.
 */
export function uploadOf(
  request: FastifyRequest,
  body: { readonly file: string; readonly mime_type?: string; readonly filename?: string },
): Upload {
  return checkedUpload(request.upload ?? fromBase64(body));
}

/** @throws ServiceError `empty_file`, `file_too_large`. */
export function checkedUpload(upload: Upload): Upload {
  if (upload.bytes.length === 0) throw new ServiceError('empty_file');
  if (upload.bytes.length > LIMITS.fileBytes) throw new ServiceError('file_too_large');
  return upload;
}

function fromBase64(body: { readonly file: string; readonly mime_type?: string; readonly filename?: string }): Upload {
  const prefix = DATA_URL.exec(body.file);
  const text = prefix ? body.file.slice(prefix[0].length) : body.file;
  if (text.length % 4 === 1 || !BASE64.test(text)) throw new ServiceError('invalid_request', 'file must be base64');
  const mediaType = body.mime_type ?? prefix?.[1];
  return { bytes: Buffer.from(text, 'base64'), mediaType, filename: body.filename };
}
