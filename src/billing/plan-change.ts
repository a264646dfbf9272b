import { AppError } from '../error.js';
import type { Database } from '../store/database.js';
import type { Plan, Plans } from './plan.js';
import type { ChangeKind, Cost } from './proration.js';
import type { PaymentProvider } from './provider.js';

/** What changes of plans are made with. */
export interface MoneyParts {
  readonly db: Database;
  readonly plans: Plans;
  readonly provider: PaymentProvider;
  /** Whether invoices that no outside provider collects count as paid by bank at once, or are open until settled. */
  readonly settlement: 'paid' | 'open';
}

/** What a change would cost now. */
export interface Preview {
  readonly kind: ChangeKind;
  readonly currentPlan: Plan;
  /** US cents a month that the organization pays for it: 0 when it has it by default. */
  readonly currentPriceCents: number;
  readonly usedUnits: number;
  readonly newPlan: Plan;
  /** US dollars for a unit of the present plan, unrounded. */
  readonly unitRate: number;
  readonly cost: Cost;
}

/** A change that was made. */
export interface Applied {
  readonly changeId: string;
  readonly kind: ChangeKind;
  readonly newPlan: Plan;
  /** US cents; 0 of a change that waits for the end of the period. */
  readonly creditCents: number;
  readonly chargeCents: number;
}

export interface Wanted {
  readonly organizationId: string;
  readonly plan: Plan;
  readonly now: Date;
}

/** Who asks, for the audit log. */
export interface WantedBy extends Wanted {
  /** Of the API key; null: an operator's command. */
  readonly keyId: string | null;
  readonly requestId: string | null;
}

/**
 * Reckons what a change would cost now, and keeps it: an upgrade to the same plan within ten minutes costs just that.
 * @throws AppError `invalid` (property newPlan) for the plan that the organization has, `conflict` while another change
 * is under way, PaymentRefused while an invoice is open
 */
export const previewChange = async (_parts: MoneyParts, _wanted: Wanted): Promise<Preview> => {
  throw new AppError('not_implemented', 'NotImplemented', 'Plans cannot be changed yet.');
};

/**
 * Changes the plan: an upgrade at once, for what the preview said; anything else when the period ends.
 * @throws AppError as {@link previewChange}; PaymentRefused when nothing could be charged; `bad_gateway`, code
 * PaymentUnresolved, when nobody knows yet whether it was: the change is finished or given up by recovery
 */
export const applyChange = async (_parts: MoneyParts, _wanted: WantedBy): Promise<Applied> => {
  throw new AppError('not_implemented', 'NotImplemented', 'Plans cannot be changed yet.');
};
