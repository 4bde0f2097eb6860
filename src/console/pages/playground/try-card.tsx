import { Code, Grid, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ApiError } from '../../api/client.ts';
import { useFormat } from '../../i18n/use-format.ts';
import { Section } from '../../parts/page.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { CopyIcon, Ltr } from '../../parts/text.tsx';
import { curlOf } from './curl.ts';
import type { V1Request } from './v1-request.ts';

interface Props {
  /** What is asked. */
  readonly form: ReactNode;
  readonly request: V1Request;
  readonly isBusy: boolean;
  readonly error: ApiError | null;
  readonly again?: () => void;
  /** Undefined until there was one. */
  readonly costCents: number | undefined;
  /** Undefined until there is one. */
  readonly answer: ReactNode | undefined;
  /** What the place is for. */
  readonly hint: string;
  /** Below the request. */
  readonly note?: string;
}

/** An operation of the public API: what is asked, what was answered, what it cost, and how a program asks the same. */
export function TryCard({ form, request, isBusy, error, again, costCents, answer, hint, note }: Props) {
  const { t } = useTranslation('playground');
  const { money } = useFormat();
  const cost = costCents !== undefined && (
    <Text size="sm" c="dimmed">
      {t('cost')} <b className="figures">{costCents === 0 ? t('free') : <Ltr>{money(costCents)}</Ltr>}</b>
    </Text>
  );
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, md: 6 }}>
        <Section title={t('ask')}>{form}</Section>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 6 }}>
        <Stack gap="lg">
          <Section title={t('answer')} aside={cost}>
            {isBusy ? (
              <Loading height={140} />
            ) : error ? (
              <Failed error={error} again={again} />
            ) : (
              (answer ?? (
                <Text size="sm" c="dimmed" mih={60}>
                  {hint}
                </Text>
              ))
            )}
          </Section>
          <Curl request={request} note={note} />
        </Stack>
      </Grid.Col>
    </Grid>
  );
}

function Curl({ request, note }: { request: V1Request; note: string | undefined }) {
  const { t } = useTranslation('playground');
  const text = curlOf(location.origin, request);
  return (
    <Section title={t('curl')} aside={<CopyIcon value={text} />}>
      <Code block dir="ltr" tabIndex={0} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', maxHeight: 260 }}>
        {text}
      </Code>
      <Text size="xs" c="dimmed" mt="xs">
        {t('curlNote')} <Ltr mono>NIDAA_TOKEN</Ltr>
      </Text>
      {note && (
        <Text size="xs" c="dimmed" mt={4} dir="auto">
          {note}
        </Text>
      )}
    </Section>
  );
}
