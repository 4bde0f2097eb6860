import {
  IconActivityHeartbeat,
  IconChecklist,
  IconCoin,
  IconHome,
  IconKey,
  IconPhoneCall,
  IconRobot,
  IconRoute,
  IconServer,
  IconTestPipe,
  IconWebhook,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';

/** What the navigation shows, in its order; `scope`: only who has it sees the page. */
export interface PageLink {
  readonly path: string;
  readonly text:
    | 'overview'
    | 'live'
    | 'calls'
    | 'agents'
    | 'numbers'
    | 'tests'
    | 'playground'
    | 'account'
    | 'people'
    | 'webhooks'
    | 'system';
  readonly icon: ComponentType<{ size?: number | string; stroke?: number | string }>;
  readonly scope?: 'account' | 'operator';
  /** What it is called for those without the scope `account`. */
  readonly plainText?: 'ownSessions';
  /** Begins a new group. */
  readonly isFirst?: true;
}

export const PAGES: readonly PageLink[] = [
  { path: '/', text: 'overview', icon: IconHome },
  { path: '/live', text: 'live', icon: IconActivityHeartbeat },
  { path: '/calls', text: 'calls', icon: IconPhoneCall },
  { path: '/agents', text: 'agents', icon: IconRobot },
  { path: '/tests', text: 'tests', icon: IconChecklist },
  { path: '/numbers', text: 'numbers', icon: IconRoute },
  { path: '/playground', text: 'playground', icon: IconTestPipe, isFirst: true },
  { path: '/account', text: 'account', icon: IconCoin },
  { path: '/people', text: 'people', icon: IconKey, plainText: 'ownSessions' },
  { path: '/webhooks', text: 'webhooks', icon: IconWebhook, scope: 'account' },
  { path: '/system', text: 'system', icon: IconServer, scope: 'operator' },
];
