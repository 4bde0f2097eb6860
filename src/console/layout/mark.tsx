import { Group, Text } from '@mantine/core';

/** The name, in both scripts. */
export function Mark() {
  return (
    <Group gap={8} wrap="nowrap" aria-label="Nidaa" role="img">
      <img src="/console/icon.svg" alt="" width={26} height={26} />
      <Text fw={600} size="lg" aria-hidden>
        Nidaa{' '}
        <Text span c="dimmed" fw={400} lang="ar">
          نداء
        </Text>
      </Text>
    </Group>
  );
}
