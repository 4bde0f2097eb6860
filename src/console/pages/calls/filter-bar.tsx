import { Badge, Button, Group, Kbd, Pill, Popover, Select, SimpleGrid, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconAdjustmentsHorizontal, IconSearch } from '@tabler/icons-react';
import { type RefObject, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAsk, usePages } from '../../api/hooks.ts';
import { useFormat } from '../../i18n/use-format.ts';
import { END_REASONS } from '../call/ends.ts';
import { useOutcomeName } from '../call/outcome-name.tsx';
import classes from './calls.module.css';
import { type FilterName, type Filters, MORE, RANGES } from './filters.ts';

interface Props {
  readonly filters: Filters;
  readonly search: RefObject<HTMLInputElement | null>;
  readonly change: (changes: Filters) => void;
  readonly clear: () => void;
}

/** What the list is narrowed by: all of it is in the address, so that it can be sent to somebody. */
export function FilterBar({ filters, search, change, clear }: Props) {
  const { t } = useTranslation('calls');
  const agents = usePages('listAgents', { limit: 200 });
  const names = (agents.items ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const more = MORE.filter((name) => filters[name] !== undefined);
  return (
    <>
      <search className={classes['bar']}>
        <Typed
          name="q"
          field={search}
          className={classes['search']}
          label={t('filters.q')}
          {...{ filters, change }}
          section={<Kbd size="xs">/</Kbd>}
        />
        <Choice
          name="range"
          {...{ filters, change }}
          data={RANGES.map((value) => ({ value, label: t(`ranges.${value}`) }))}
        />
        <Choice name="agent" {...{ filters, change }} data={names} searchable />
        <Choice
          name="direction"
          {...{ filters, change }}
          data={(['inbound', 'outbound'] as const).map((value) => ({ value, label: t(`directions.${value}`) }))}
        />
        <Popover width={320} position="bottom-end" trapFocus withinPortal>
          <Popover.Target>
            <Button
              variant="default"
              leftSection={<IconAdjustmentsHorizontal size={16} />}
              rightSection={more.length > 0 ? <Badge size="sm">{more.length}</Badge> : undefined}
            >
              {t('filters.more')}
            </Button>
          </Popover.Target>
          <Popover.Dropdown>
            <MoreFilters {...{ filters, change }} />
          </Popover.Dropdown>
        </Popover>
      </search>
      <Active {...{ filters, change, clear }} names={names} />
    </>
  );
}

type Part = Pick<Props, 'filters' | 'change'>;

function MoreFilters({ filters, change }: Part) {
  const { t } = useTranslation('calls');
  const outcomes = useOutcomes();
  const { t: ofCall } = useTranslation('call');
  const day = (name: 'since' | 'until') => (
    <TextInput
      type="date"
      label={t(`filters.${name}`)}
      value={filters[name] ?? ''}
      onChange={({ currentTarget }) => change({ [name]: currentTarget.value })}
    />
  );
  return (
    <SimpleGrid cols={2} spacing="sm">
      {day('since')}
      {day('until')}
      <Typed name="from" {...{ filters, change }} label={t('filters.from')} isShown isNumber />
      <Typed name="to" {...{ filters, change }} label={t('filters.to')} isShown isNumber />
      <Typed name="min" {...{ filters, change }} label={t('filters.min')} isShown isNumber />
      <Choice
        name="recording"
        {...{ filters, change }}
        isShown
        data={(['yes', 'no'] as const).map((value) => ({ value, label: t(`recordings.${value}`) }))}
      />
      <Choice
        name="state"
        {...{ filters, change }}
        isShown
        data={(['live', 'ended'] as const).map((value) => ({ value, label: t(`states.${value}`) }))}
      />
      <Choice
        name="answered"
        {...{ filters, change }}
        isShown
        data={(['human', 'machine', 'unknown'] as const).map((value) => ({
          value,
          label: ofCall(`route.who.${value}`),
        }))}
      />
      <div className={classes['wide']}>
        <Choice
          name="end"
          {...{ filters, change }}
          isShown
          searchable
          data={END_REASONS.map((value) => ({ value, label: ofCall(`ends.${value}`) }))}
        />
      </div>
      {outcomes.length > 0 && (
        <div className={classes['wide']}>
          <Choice name="outcome" {...{ filters, change }} isShown searchable data={outcomes} />
        </div>
      )}
    </SimpleGrid>
  );
}

/** What calls of the account came to so far. */
function useOutcomes(): { value: string; label: string }[] {
  const nameOf = useOutcomeName();
  const known = useAsk('listOutcomes', {});
  return (known.data?.items ?? []).map(({ outcome, label }) => ({
    ...{ value: outcome, label: nameOf({ outcome, outcome_label: label }) },
  }));
}

interface ChoiceProps extends Part {
  readonly name: FilterName;
  readonly data: { value: string; label: string }[];
  readonly isShown?: boolean;
  readonly searchable?: boolean;
}

function Choice({ name, filters, change, data, isShown = false, searchable }: ChoiceProps) {
  const { t } = useTranslation('calls');
  const label = t(`filters.${name}`);
  return (
    <Select
      {...{ data, searchable }}
      {...(isShown ? { label } : { 'aria-label': label })}
      placeholder={isShown ? t('any') : label}
      value={filters[name] ?? null}
      onChange={(value) => change({ [name]: value ?? '' })}
      clearable
      comboboxProps={{ withinPortal: !isShown }}
    />
  );
}

interface TypedProps extends Part {
  readonly name: FilterName;
  readonly label: string;
  readonly field?: RefObject<HTMLInputElement | null>;
  readonly className?: string;
  readonly section?: React.ReactNode;
  readonly isShown?: boolean;
  readonly isNumber?: boolean;
}

const TYPING_MS = 350;

/** Goes to the address when nothing was typed for a moment. */
function Typed({
  name,
  filters,
  change,
  label,
  field,
  className,
  section,
  isShown = false,
  isNumber = false,
}: TypedProps) {
  const asked = filters[name] ?? '';
  const [value, setValue] = useState(asked);
  const later = useDebouncedCallback((typed: string) => change({ [name]: typed.trim() }), TYPING_MS);
  // Changed from elsewhere: the button back, a filter that was taken away.
  useEffect(() => setValue((typed) => (typed.trim() === asked ? typed : asked)), [asked]);
  return (
    <TextInput
      ref={field}
      className={className}
      {...(isShown ? { label } : { 'aria-label': label, placeholder: label })}
      leftSection={isShown ? undefined : <IconSearch size={16} />}
      rightSection={section}
      type={name === 'q' ? 'search' : 'text'}
      inputMode={name === 'min' ? 'numeric' : undefined}
      dir={isNumber ? 'ltr' : undefined}
      value={value}
      onChange={({ currentTarget }) => {
        setValue(currentTarget.value);
        later(currentTarget.value);
      }}
    />
  );
}

/** The filters that are out of sight, each to be taken away. */
function Active({
  filters,
  change,
  clear,
  names,
}: Omit<Props, 'search'> & { names: { value: string; label: string }[] }) {
  const { t } = useTranslation('calls');
  const { t: ofCall } = useTranslation('call');
  const format = useFormat();
  const outcomes = useOutcomes();
  const shown = MORE.filter((name) => filters[name] !== undefined);
  const isAny = Object.keys(filters).length > 0;
  if (!isAny) return null;
  const textOf = (name: FilterName, value: string): string => {
    if (name === 'end') return ofCall(`ends.${value as 'busy'}`, { defaultValue: value });
    if (name === 'answered') return ofCall(`route.who.${value as 'human'}`, { defaultValue: value });
    if (name === 'recording') return t(`recordings.${value as 'yes'}`, { defaultValue: value });
    if (name === 'state') return t(`states.${value as 'live'}`, { defaultValue: value });
    if (name === 'outcome') return outcomes.find((one) => one.value === value)?.label ?? value;
    if (name === 'min') return format.span(Number(value) * 1_000);
    return names.find(({ value: id }) => id === value)?.label ?? value;
  };
  return (
    <Group gap={6} mt="xs">
      {shown.map((name) => (
        <Pill
          key={name}
          withRemoveButton
          onRemove={() => change({ [name]: '' })}
          removeButtonProps={{
            'aria-label': t('remove', { filter: t(`filters.${name}`) }),
            tabIndex: 0,
            'aria-hidden': false,
          }}
        >
          {t(`filters.${name}`)}: <bdi>{textOf(name, filters[name]!)}</bdi>
        </Pill>
      ))}
      <Button variant="subtle" size="compact-sm" onClick={clear}>
        {t('clear')}
      </Button>
    </Group>
  );
}
