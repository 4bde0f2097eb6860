import { Code, List, SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CodeBlock } from '../../parts/code-block.tsx';
import { Section } from '../../parts/page.tsx';
import NODE from './samples/verify.mjs?raw';
import PYTHON from './samples/verify.py?raw';

const SAMPLES = { 'Node.js': NODE, Python: PYTHON } as const;
type Sample = keyof typeof SAMPLES;
const HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

/** How a receiver knows that a message is from this gateway, and of now. */
export function Signature() {
  const { t } = useTranslation('webhooks');
  const [sample, setSample] = useState<Sample>('Node.js');
  const choice = (
    <SegmentedControl
      size="xs"
      aria-label={t('signature.language')}
      value={sample}
      onChange={(value) => setSample(value as Sample)}
      data={Object.keys(SAMPLES)}
    />
  );
  return (
    <Section title={t('tabs.signature')} aside={choice}>
      <Stack gap="md">
        <Text size="sm" maw={720}>
          {t('signature.text')}
        </Text>
        <List size="sm" spacing={4}>
          {HEADERS.map((header) => (
            <List.Item key={header}>
              <Code dir="ltr">{header}</Code> {t(`signature.headers.${header}`)}
            </List.Item>
          ))}
        </List>
        <CodeBlock label={sample} text={SAMPLES[sample].trim()} height={640} />
        <Text size="sm" c="dimmed" maw={720}>
          {t('signature.answer')}
        </Text>
      </Stack>
    </Section>
  );
}
