import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../../core/errors.ts';
import { exceeds, shown } from '../characters.ts';
import type { ServiceDeps } from '../deps.ts';
import { documentType } from '../document-type.ts';
import { NotConfigured } from '../error-envelope.ts';
import { operation } from '../operation.ts';
import type { Payments } from '../payments.ts';
import { withinTime } from '../request-signal.ts';
import { uploadSamples } from '../samples.ts';
import { type Answer, AnswerSchema, type AskBody, AskBodySchema, AskFormSchema, LIMITS } from '../schemas.ts';
import { UPLOAD_BODY_BYTES, uploadOf } from '../upload.ts';

const LIMIT_MS = 75_000;

type Deps = Pick<ServiceDeps, 'clock' | 'prices' | 'documents'> & { readonly payments: Payments };

/** `POST /v1/documents/ask`: one question about one document, answered from it alone. */
export function documentsAskRoute(app: FastifyInstance, { clock, prices, documents, payments }: Deps): void {
  const options = operation({
    id: 'askDocument',
    tag: 'Documents',
    summary: 'Ask a question about a document',
    description:
      'Answers from the document and quotes the lines it rests on; says so when the document does not hold the answer. ' +
      'PDF, DOCX, text, Markdown, CSV, HTML or JSON, at most 8 MB.',
    paid: true,
    upload: true,
    body: { 'multipart/form-data': AskFormSchema, 'application/json': AskBodySchema },
    answer: AnswerSchema,
    errors: [
      ...(['empty_file', 'empty_question', 'question_too_long', 'file_too_large'] as const),
      ...(['unsupported_document', 'invalid_document', 'answer_failed', 'timeout'] as const),
    ],
    samples: uploadSamples('/v1/documents/ask', 'policy.txt', { question: 'كم مدة الإجازة السنوية؟' }, 'askDocument'),
  });
  const limits = { bodyLimit: UPLOAD_BODY_BYTES };
  app.post<{ Body: AskBody }>(
    '/v1/documents/ask',
    { ...options, ...limits },
    async (request, reply): Promise<Answer> => {
      const { body } = request;
      const question = body.question.trim();
      if (question === '') throw new ServiceError('empty_question');
      if (exceeds(body.question, LIMITS.questionChars)) throw new ServiceError('question_too_long');
      const file = uploadOf(request, body);
      const mimeType = documentType(file);
      if (!mimeType)
        throw new ServiceError('unsupported_document', shown(file.mediaType ?? 'application/octet-stream'));
      const { bytes, filename } = file;
      const asked = { file: bytes, mimeType, question, ...(filename !== undefined && { filename }) };
      const price = { kind: 'ask', cents: prices.askCents } as const;
      const { value, costCents } = await payments.pay(request, reply, price, async () => {
        if (!documents) throw new NotConfigured('this installation has no document reader');
        return { value: await withinTime(request, reply, clock, LIMIT_MS, (signal) => documents.ask(asked, signal)) };
      });
      const { answer, quotes, answered } = value;
      return { answer, quotes: [...quotes], answered, cost_cents: costCents };
    },
  );
}
