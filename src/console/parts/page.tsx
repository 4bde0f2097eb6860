import { Box, Card, Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';

interface PageProps {
  readonly title: string;
  /** Beside or below the title. */
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A page: its title, also that of the window, what can be done on it, and what it shows. */
export function Page({ title, lead, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Nidaa`;
  }, [title]);
  return (
    <Stack gap="lg" maw={1280} mx="auto" w="100%">
      <Group justify="space-between" align="flex-start" gap="sm">
        <Box miw={0}>
          <Title order={1}>
            <bdi>{title}</bdi>
          </Title>
          {typeof lead === 'string' ? (
            <Text c="dimmed" size="sm">
              {lead}
            </Text>
          ) : (
            lead
          )}
        </Box>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
}

interface SectionProps {
  readonly title?: string;
  /** Small, beside the title: a legend, a figure, a button. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

/** A card: one question, and its answer. */
export function Section({ title, aside, children }: SectionProps) {
  return (
    <Card component="section" style={{ overflow: 'visible' }}>
      {(title !== undefined || aside) && (
        <Group justify="space-between" mb="sm" gap="xs">
          {title !== undefined && <Title order={2}>{title}</Title>}
          {aside}
        </Group>
      )}
      {children}
    </Card>
  );
}

/** A figure under its name. */
export function Figure({ name, children, note }: { name: string; children: ReactNode; note?: ReactNode }) {
  return (
    <Stack gap={2} miw={0}>
      <Text size="sm" c="dimmed">
        {name}
      </Text>
      <Text fw={600} size="xl" className="figures" component="div">
        {children}
      </Text>
      {note && (
        <Text size="xs" c="dimmed" component="div">
          {note}
        </Text>
      )}
    </Stack>
  );
}
