import { errorText } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';
import type { OrderEvent, OrderState } from './order-state.ts';

/** What happened to an order. Times and numbers are in its row. */
export interface OrderChange {
  readonly orderId: string;
  readonly accountId: string;
  readonly event: OrderEvent;
  readonly state: OrderState; // after it
  readonly attempt: number;
  readonly at: Date;
  readonly callId?: string;
  readonly reason?: string; // of an end, or of another try
}

export type OrderListener = (change: OrderChange) => void;

const LISTENERS_MAX = 100;

/** Who wants to know of orders while they go on: webhooks, the live stream. A listener that throws disturbs nobody. */
export class OrderEvents {
  readonly #listeners = new Set<OrderListener>();
  constructor(private readonly logger: Logger) {}

  /** @returns how to stop listening. */
  listen(listener: OrderListener): () => void {
    if (this.#listeners.size >= LISTENERS_MAX) throw new Error('too many listen to orders');
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  tell(change: OrderChange): void {
    for (const listener of this.#listeners) {
      try {
        listener(change);
      } catch (error) {
        this.logger.error({ error: errorText(error) }, 'a listener to orders failed');
      }
    }
  }
}
