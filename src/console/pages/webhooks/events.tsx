import { Accordion, Code, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CodeBlock } from '../../parts/code-block.tsx';
import { Section } from '../../parts/page.tsx';
import { Ltr } from '../../parts/text.tsx';
import EXAMPLES from './event-examples.json';
import { EVENT_GROUPS, textOf } from './event-groups.ts';

/** What can be told, when it is, and a whole message of each. */
export function Events() {
  const { t } = useTranslation('webhooks');
  return (
    <Stack gap="lg">
      <Text size="sm" c="dimmed" maw={720}>
        {t('events.lead')} <Code dir="ltr">id</Code>
      </Text>
      {EVENT_GROUPS.map(({ group, events }) => (
        <Section key={group} title={t(`events.groups.${group}`)}>
          <Accordion variant="default">
            {events.map((event) => (
              <Accordion.Item key={event} value={event}>
                <Accordion.Control>
                  <Ltr mono>{event}</Ltr>
                  <Text size="sm" c="dimmed">
                    {t(`events.texts.${textOf(event)}`)}
                  </Text>
                </Accordion.Control>
                <Accordion.Panel>
                  <CodeBlock label={event} text={JSON.stringify(EXAMPLES[event], null, 2)} />
                </Accordion.Panel>
              </Accordion.Item>
            ))}
          </Accordion>
        </Section>
      ))}
    </Stack>
  );
}
