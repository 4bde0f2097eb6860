import { Anchor, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { usePages } from '../../api/hooks.ts';
import { useFormat } from '../../i18n/use-format.ts';
import { Bar } from '../../parts/bar.tsx';
import { Empty } from '../../parts/states.tsx';
import { type AgentCost, agentCosts, type UsageLine } from './agent-costs.ts';

const SHOWN_MAX = 8;

/** Which agents the money went to; what the public API was asked stands as one. */
export function TopAgents({ lines }: { lines: readonly UsageLine[] }) {
  const { t } = useTranslation('account');
  const agents = usePages('listAgents', { limit: 200 });
  const names = new Map(agents.items?.map(({ id, name }) => [id, name]));
  const costs = agentCosts(lines, SHOWN_MAX);
  if (costs.length === 0) return <Empty title={t('usage.empty')} />;
  const max = costs[0]!.cents;
  return (
    <Stack gap="sm" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
      {costs.map((cost) => (
        <Row key={cost.key} of={cost} name={cost.agentId && names.get(cost.agentId)} max={max} />
      ))}
    </Stack>
  );
}

function Row({ of, name, max }: { of: AgentCost; name: string | null | undefined; max: number }) {
  const { t } = useTranslation('account');
  const format = useFormat();
  const shown =
    of.agentId === null ? (
      <Text size="sm">{of.key === 'rest' ? t('agents.rest', { count: of.agents }) : t('agents.api')}</Text>
    ) : (
      <Anchor component={Link} to={`/agents/${encodeURIComponent(of.agentId)}`} size="sm" dir="auto">
        {name ?? of.agentId}
      </Anchor>
    );
  return (
    <li>
      <Group justify="space-between" gap="xs" wrap="nowrap">
        {shown}
        <Text size="sm" className="figures" style={{ whiteSpace: 'nowrap' }}>
          {format.money(of.cents)}{' '}
          <Text span c="dimmed">
            {format.percent(of.share)}
          </Text>
        </Text>
      </Group>
      <Bar share={of.cents / max} />
    </li>
  );
}
