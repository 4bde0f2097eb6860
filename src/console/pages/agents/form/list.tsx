import { ActionIcon, Badge, Button, Group, Menu, Stack, Text, UnstyledButton } from '@mantine/core';
import {
  IconArrowDown,
  IconArrowUp,
  IconChevronRight,
  IconCopy,
  IconDots,
  IconPlus,
  IconTrash,
} from '@tabler/icons-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type FieldPath, isTree } from '../../../../config/agent-text/yaml-document.ts';
import { useCanChange, useEditing, useField, useFindings } from '../editor/draft-context.ts';
import { useWords } from '../editor/words.ts';
import { SHAPES } from '../model/fields.ts';
import { freeName, headOf, newItem } from '../model/starts.ts';
import classes from './form.module.css';
import { Frame } from './frame.tsx';
import { Inner } from './inner.tsx';
import type { FieldProps } from './simple.tsx';

/** All that their section holds, which has their name. */
const ALONE = ['intents', 'flows'];

/** Things below each other, each opened by its head. */
export function List({ field, path }: FieldProps<'list'>) {
  const { t } = useTranslation('agents');
  const { language, wanted } = useEditing();
  const words = useWords();
  const canChange = useCanChange();
  const [value, set] = useField(path);
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const shape = SHAPES[field.shape];
  const [seen, setSeen] = useState<object>();
  if (wanted && wanted !== seen) {
    setSeen(wanted);
    const index = wanted.path[path.length];
    if (typeof index === 'number' && path.every((step, at) => wanted.path[at] === step))
      setOpen(new Set([...open, index]));
  }
  const change = (next: readonly unknown[]) => set(next.length === 0 && field.id !== 'flow.slots' ? undefined : next);
  const add = (item: unknown) => {
    change([...items, item]);
    setOpen(new Set([...open, items.length]));
  };
  const act: ItemActions = {
    toggle: (index) => setOpen(toggled(open, index)),
    remove: (index) => {
      change(items.filter((_item, at) => at !== index));
      setOpen(new Set([...open].filter((at) => at !== index).map((at) => (at > index ? at - 1 : at))));
    },
    move: (index, by) => {
      const next = [...items];
      [next[index], next[index + by]] = [next[index + by], next[index]];
      change(next);
      setOpen(new Set([...open].map((at) => (at === index ? index + by : at === index + by ? index : at))));
    },
    copy: (index) => add(copyOf(items[index], items)),
  };
  return (
    <Frame path={path} label={words.label(field)} hint={words.hint(field)} isNamed={ALONE.includes(field.id)}>
      <Stack gap="xs" mt={4}>
        {items.length === 0 && (
          <Text size="sm" c="dimmed">
            {t(`empty.${field.shape}`)}
          </Text>
        )}
        <ul className={classes['items']}>
          {items.map((item, index) => (
            <Item
              // biome-ignore lint/suspicious/noArrayIndexKey: an item is its place: names may be changed, or be the same for a while
              key={index}
              {...{ field, index, act }}
              path={[...path, index]}
              head={headOf(shape, item, language) || t('nameless')}
              kind={isTree(item) ? kindOf(item) : undefined}
              isOpen={open.has(index)}
              isLast={index === items.length - 1}
            />
          ))}
        </ul>
        {canChange && (
          <Group>
            <Button
              variant="light"
              size="xs"
              leftSection={<IconPlus size={14} />}
              onClick={() => add(newItem(shape, language, items))}
            >
              {t(`add.${field.shape}`)}
            </Button>
          </Group>
        )}
      </Stack>
    </Frame>
  );
}

const kindOf = ({ type }: Readonly<Record<string, unknown>>): string | undefined =>
  typeof type === 'string' ? type : undefined;

function toggled(open: ReadonlySet<number>, index: number): ReadonlySet<number> {
  const next = new Set(open);
  if (!next.delete(index)) next.add(index);
  return next;
}

function copyOf(item: unknown, items: readonly unknown[]): unknown {
  if (!isTree(item) || typeof item['name'] !== 'string') return item;
  return {
    ...item,
    name: freeName(
      item['name'],
      items.map((one) => (isTree(one) ? one['name'] : undefined)),
    ),
  };
}

interface ItemActions {
  toggle(index: number): void;
  remove(index: number): void;
  move(index: number, by: 1 | -1): void;
  copy(index: number): void;
}
interface ItemProps extends Pick<FieldProps<'list'>, 'field' | 'path'> {
  readonly index: number;
  readonly act: ItemActions;
  readonly head: string;
  /** The type of a value or an action. */
  readonly kind: string | undefined;
  readonly isOpen: boolean;
  readonly isLast: boolean;
}

function Item({ field, path, index, act, head, kind, isOpen, isLast }: ItemProps) {
  const words = useWords();
  const { show } = useEditing();
  const canChange = useCanChange();
  const id = useId();
  const typeId = field.shape === 'slot' ? 'slot.type' : 'action.type';
  return (
    <li className={classes['item']}>
      <div className={classes['head']}>
        <UnstyledButton
          className={classes['open']}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => act.toggle(index)}
          onFocus={(event) => {
            event.stopPropagation();
            show(path);
          }}
        >
          <IconChevronRight size={16} className={classes['chevron']} aria-hidden />
          <Text size="sm" fw={500} className={classes['name']} dir="auto" component="span">
            {head}
          </Text>
          {kind && (
            <Badge color="gray" size="sm" style={{ flex: 'none' }}>
              {words.value({ id: typeId }, kind)}
            </Badge>
          )}
        </UnstyledButton>
        <Count path={path} />
        {canChange && <ItemMenu {...{ index, act, isLast, head }} />}
      </div>
      {isOpen && (
        <div className={classes['body']} id={id}>
          <Inner fields={SHAPES[field.shape].fields} at={path} />
        </div>
      )}
    </li>
  );
}

/** How much was found in an item: it is closed, and its fields cannot say so. */
function Count({ path }: { path: FieldPath }) {
  const { t } = useTranslation('agents');
  const findings = useFindings(path);
  if (findings.length === 0) return null;
  const hasErrors = findings.some(({ severity }) => severity === 'error');
  return (
    <Badge color={hasErrors ? 'red' : 'yellow'} size="sm" style={{ flex: 'none' }} className="figures">
      {t('findings.count', { count: findings.length })}
    </Badge>
  );
}

function ItemMenu({ index, act, isLast, head }: Pick<ItemProps, 'index' | 'act' | 'isLast' | 'head'>) {
  const { t } = useTranslation('agents');
  const { t: common } = useTranslation();
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t('item.more', { name: head })}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconArrowUp size={14} />} disabled={index === 0} onClick={() => act.move(index, -1)}>
          {t('item.up')}
        </Menu.Item>
        <Menu.Item leftSection={<IconArrowDown size={14} />} disabled={isLast} onClick={() => act.move(index, 1)}>
          {t('item.down')}
        </Menu.Item>
        <Menu.Item leftSection={<IconCopy size={14} />} onClick={() => act.copy(index)}>
          {t('item.copy')}
        </Menu.Item>
        <Menu.Item leftSection={<IconTrash size={14} />} color="red" onClick={() => act.remove(index)}>
          {common('delete')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
