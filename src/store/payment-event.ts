import type { Session } from './database.js';

/** An event of the payment provider that was taken in. */
export interface PaymentEvent {
  /** The provider's name for it. */
  readonly id: string;
  readonly type: string;
  /** null: it was of nobody that is known here. */
  readonly organizationId: string | null;
  readonly occurredAt: Date;
  readonly receivedAt: Date;
}

/** @returns whether an event was taken in before. */
export const isPaymentEventKnown = async (session: Session, id: string): Promise<boolean> =>
  (await session.select('select from payment_event where id = $1', [id])).length > 0;

/** Notes that an event was taken in; one that is noted already stays as it is. */
export const insertPaymentEvent = async (session: Session, event: PaymentEvent): Promise<void> => {
  await session.run(
    `insert into payment_event (id, type, organization_id, occurred_at, received_at) values ($1, $2, $3, $4, $5)
     on conflict (id) do nothing`,
    [event.id, event.type, event.organizationId, event.occurredAt, event.receivedAt],
  );
};
