import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../../core/errors.ts';
import type { Redacted, Redactor } from '../../engines/text/contract.ts';
import { firstCharacters } from '../characters.ts';
import type { ServiceDeps } from '../deps.ts';
import { NotConfigured } from '../error-envelope.ts';
import { operation } from '../operation.ts';
import type { Payments } from '../payments.ts';
import { jsonSamples } from '../samples.ts';
import { LIMITS, type PrivacyReport, type RedactBody, RedactBodySchema, RedactSchema } from '../schemas.ts';

type Deps = Pick<ServiceDeps, 'redactor' | 'prices'> & { readonly payments: Payments };

/** `POST /v1/privacy/redact`: what may not leave the organisation. Neither the text nor the report is logged or kept. */
export function privacyRedactRoute(app: FastifyInstance, { redactor, prices, payments }: Deps): void {
  const options = operation({
    id: 'redactText',
    tag: 'Text',
    summary: 'Check a text for what may not leave',
    description: 'Reports what a compliance officer would object to, and returns the text without it.',
    paid: true,
    isPrivate: true,
    body: RedactBodySchema,
    answer: RedactSchema,
    errors: ['empty_text', 'check_failed'],
    samples: jsonSamples('POST', '/v1/privacy/redact', { text: 'رقم هويتي 1010101010' }, 'redactText'),
  });
  app.post<{ Body: RedactBody }>('/v1/privacy/redact', options, async (request, reply): Promise<PrivacyReport> => {
    const { text, truncated } = firstCharacters(request.body.text, LIMITS.privacyTextChars);
    if (text.trim() === '') throw new ServiceError('empty_text');
    if (truncated) reply.header('x-service-truncated', 'true');
    if (!redactor) throw new NotConfigured('this installation has no privacy check');
    // The check takes a millisecond and its report is worth nothing before it is sent: one booking instead of two.
    const report = check(redactor, text);
    const costCents = await payments.charge(request, reply, { kind: 'privacy', cents: prices.privacyCents });
    return { ...report, findings: [...report.findings], cost_cents: costCents };
  });
}

function check(redactor: Redactor, text: string): Redacted {
  try {
    return redactor.redact(text);
  } catch (error) {
    // Its message could repeat the text.
    throw new ServiceError('check_failed', '', { cause: new Error((error as Error).name) });
  }
}
