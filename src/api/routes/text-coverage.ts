import type { FastifyInstance } from 'fastify';
import type { CoverageChecker } from '../../engines/text/contract.ts';
import { NotConfigured } from '../error-envelope.ts';
import { operation } from '../operation.ts';
import { jsonSamples } from '../samples.ts';
import { type CoverageBody, CoverageBodySchema, type CoverageReport, CoverageSchema } from '../schemas.ts';
import { requiredText } from '../speech-request.ts';

/** `POST /v1/text/coverage`: which words are likely to be mispronounced. Free. */
export function textCoverageRoute(app: FastifyInstance, deps: { readonly coverage?: CoverageChecker }): void {
  const options = operation({
    id: 'checkCoverage',
    tag: 'Text',
    summary: 'Check pronunciation coverage',
    description:
      'A look at spelling, not a pronunciation model: Latin words inside Arabic text, digits, asset tags and acronyms. No charge.',
    body: CoverageBodySchema,
    answer: CoverageSchema,
    errors: ['empty_text', 'text_too_long'],
    samples: jsonSamples('POST', '/v1/text/coverage', { text: 'افحص المضخة P-101A' }, 'checkCoverage'),
  });
  app.post<{ Body: CoverageBody }>('/v1/text/coverage', options, async (request): Promise<CoverageReport> => {
    const { text } = request.body;
    requiredText(text);
    if (!deps.coverage) throw new NotConfigured('this installation has no coverage checker');
    const { flagged, ...counts } = deps.coverage.check(text);
    return { ...counts, flagged: [...flagged] };
  });
}
