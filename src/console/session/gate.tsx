import { Card, Center, Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Mark } from '../layout/mark.tsx';
import { ReadingMenu } from '../layout/reading-menu.tsx';

/** The frame of what is seen before one has signed in. */
export function Gate({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <Center mih="100dvh" p="md" bg="var(--ground)">
      <Stack w="100%" maw={400} component="main">
        <Group justify="space-between">
          <Mark />
          <ReadingMenu />
        </Group>
        <Card padding="lg">
          <Title order={1}>{title}</Title>
          <Text c="dimmed" size="sm" mb="lg">
            {text}
          </Text>
          {children}
        </Card>
      </Stack>
    </Center>
  );
}
