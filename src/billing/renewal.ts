import type { Session } from '../store/database.js';
import type { MoneyParts } from './plan-change.js';

/** A period that an outside provider began, with its invoice. */
export interface Renewal {
  readonly organizationId: string;
  /** What the period is of. */
  readonly planId: string;
  readonly period: { readonly start: Date; readonly end: Date };
  readonly invoice: {
    /** The provider's name for it: one invoice is taken in once. */
    readonly reference: string;
    readonly priceCents: number;
    /** Of our credit balance: what the provider was told to take off. */
    readonly creditCents: number;
    readonly state: 'open' | 'paid';
  };
  /** As the provider words it. */
  readonly status: string;
  readonly now: Date;
}

/**
 * renewed: the new period runs. known: this invoice was taken in before. past: a later period runs already, so the
 * invoice was booked and what it covers credited. later: a change of plan is under way; tell it again in a minute.
 */
export type Renewed = 'renewed' | 'known' | 'past' | 'later';

/** Takes in a period that an outside provider began, inside the caller's transaction. */
export const renewPeriod = async (
  _parts: Pick<MoneyParts, 'plans'>,
  _session: Session,
  _renewal: Renewal,
): Promise<Renewed> => {
  throw new Error('not yet');
};

/** Takes in that an open invoice of an outside provider was paid. @returns false when no such invoice is open */
export const settleInvoice = async (
  _session: Session,
  _paid: { readonly reference: string; readonly now: Date },
): Promise<boolean> => {
  throw new Error('not yet');
};

/**
 * Takes in that the provider ended a subscription: the organization has the plan that waits, or the default plan, in a
 * period that begins now. @returns later: as in {@link renewPeriod}
 */
export const endSubscription = async (
  _parts: Pick<MoneyParts, 'plans'>,
  _session: Session,
  _ended: { readonly organizationId: string; readonly now: Date },
): Promise<'ended' | 'later'> => {
  throw new Error('not yet');
};

/** Begins a new period where the running one is over and nobody else does it. Cheap when it is not. @returns whether it did */
export const renewIfDue = async (_parts: MoneyParts, _organizationId: string, _now: Date): Promise<boolean> => {
  throw new Error('not yet');
};
