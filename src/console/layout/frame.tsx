import { AppShell, Burger, NavLink as Entry, Group, ScrollArea, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { NavLink, Outlet, useLocation } from 'react-router';
import { Loading } from '../parts/states.tsx';
import { SessionGate, useWho } from '../session/session.tsx';
import { Connection } from './connection.tsx';
import classes from './frame.module.css';
import { HelpMenu } from './help-menu.tsx';
import { Mark } from './mark.tsx';
import { OtherAccount } from './other-account.tsx';
import { PAGES } from './pages.ts';
import { PersonMenu } from './person-menu.tsx';
import { ReadingMenu } from './reading-menu.tsx';

/** Navigation beside the page; without a session, the form to sign in. */
export function Frame() {
  return (
    <SessionGate>
      <Shell />
    </SessionGate>
  );
}

function Shell() {
  const { t } = useTranslation();
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const { pathname } = useLocation();
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding="lg"
      classNames={{ main: classes['main'], header: classes['bar'], navbar: classes['bar'] }}
    >
      <a className="skip" href="#page">
        {t('skip')}
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label={t('menu')} />
            <Mark />
          </Group>
          <Group gap="xs" wrap="nowrap">
            <HelpMenu />
            <ReadingMenu />
            <PersonMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" component="nav" aria-label={t('menu')}>
        <ScrollArea type="auto" offsetScrollbars={false}>
          <Links onPick={close} />
        </ScrollArea>
      </AppShell.Navbar>
      <AppShell.Main id="page" tabIndex={-1} key={pathname.split('/')[1]}>
        <OtherAccount />
        <Connection />
        <Suspense fallback={<Loading />}>
          <Outlet />
        </Suspense>
      </AppShell.Main>
    </AppShell>
  );
}

function Links({ onPick }: { onPick: () => void }) {
  const { t } = useTranslation();
  const { may } = useWho();
  const { pathname } = useLocation();
  return PAGES.filter(({ scope }) => scope === undefined || may(scope)).map(
    ({ path, text, plainText, icon: Icon, isFirst }) => (
      <Entry
        key={path}
        component={NavLink}
        to={path}
        active={path === '/' ? pathname === '/' : pathname.startsWith(path)}
        label={<Text size="sm">{plainText && !may('account') ? t(plainText) : t(`pages.${text}`)}</Text>}
        leftSection={<Icon size={18} stroke={1.6} />}
        onClick={onPick}
        className={classes['link']}
        data-first={isFirst}
      />
    ),
  );
}
