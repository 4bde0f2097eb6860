import type { FastifyInstance } from 'fastify';
import { type Language, languageOf } from '../../core/agent.ts';
import { ServiceError } from '../../core/errors.ts';
import type { TextNormalizer } from '../../engines/text/contract.ts';
import { shown } from '../characters.ts';
import { operation } from '../operation.ts';
import { jsonSamples } from '../samples.ts';
import { type NormalizeBody, NormalizeBodySchema, type NormalizedText, NormalizeSchema } from '../schemas.ts';
import { requiredText } from '../speech-request.ts';

/** `POST /v1/text/normalize`: the text as it will be spoken. Free. */
export function textNormalizeRoute(app: FastifyInstance, deps: { readonly normalizer: TextNormalizer }): void {
  const options = operation({
    id: 'normalizeText',
    tag: 'Text',
    summary: 'Normalise text',
    description:
      'The text as it will be spoken: numbers, money, dates and abbreviations as words. No audio, no charge.',
    body: NormalizeBodySchema,
    answer: NormalizeSchema,
    errors: ['empty_text', 'text_too_long', 'unknown_language'],
    samples: jsonSamples('POST', '/v1/text/normalize', { text: 'المبلغ 250 ريال' }, 'normalizeText'),
  });
  app.post<{ Body: NormalizeBody }>('/v1/text/normalize', options, async (request): Promise<NormalizedText> => {
    const { text, language } = request.body;
    requiredText(text);
    const { replacements, ...normalized } = deps.normalizer.normalize(text, spokenLanguage(language));
    return { ...normalized, replacements: [...replacements] };
  });
}

/** @throws ServiceError `unknown_language`. A region is tolerated and dropped. */
function spokenLanguage(tag: string | undefined): Language | undefined {
  if (tag === undefined) return undefined;
  if (!/^(?:ar|en)(?:[-_][A-Za-z]{2})?$/i.test(tag)) throw new ServiceError('unknown_language', shown(tag));
  return languageOf(tag);
}
