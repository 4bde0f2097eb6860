import { WEBHOOK_EVENTS, type WebhookEventType } from '../../../core/webhook.ts';

const GROUPS = ['call', 'order', 'trunk', 'balance'] as const;

/** Events by what they are about, in the order of the document. */
export const EVENT_GROUPS: readonly {
  readonly group: (typeof GROUPS)[number];
  readonly events: readonly WebhookEventType[];
}[] = GROUPS.map((group) => ({ group, events: WEBHOOK_EVENTS.filter((event) => event.startsWith(`${group}.`)) }));

/** The key of an event's text: dots would name a place within another. */
export const textOf = (event: WebhookEventType) => event.replace('.', '_') as Underscored<WebhookEventType>;
type Underscored<T extends string> = T extends `${infer A}.${infer B}` ? `${A}_${B}` : never;
