import { Tabs } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router';
import classes from './page-tabs.module.css';

export interface PageTab {
  /** In the address, as `?tab=`. */
  readonly id: string;
  readonly name: string;
  readonly content: () => ReactNode;
}

/** Parts of a page of which one is seen; which one stands in the address. One alone needs no tabs. */
export function PageTabs({ label, tabs }: { label: string; tabs: readonly PageTab[] }) {
  const [query, setQuery] = useSearchParams();
  const list = useRef<HTMLDivElement>(null);
  const open = tabs.find(({ id }) => id === query.get('tab')) ?? tabs[0];
  const openId = open?.id;
  useEffect(() => {
    const tab = [...(list.current?.children ?? [])].find((one) => (one as HTMLElement).dataset['tab'] === openId);
    tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [openId]);
  if (!open) return null;
  if (tabs.length === 1) return open.content();
  return (
    <Tabs value={open.id} onChange={(id) => setQuery({ tab: id ?? '' })} keepMounted={false}>
      <Tabs.List ref={list} aria-label={label} className={classes['list']} mb="lg">
        {tabs.map(({ id, name }) => (
          <Tabs.Tab key={id} value={id} data-tab={id}>
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={open.id}>{open.content()}</Tabs.Panel>
    </Tabs>
  );
}
