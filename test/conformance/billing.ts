import { expect } from 'vitest';
import { DEFAULT_ORGANIZATION_ID } from '../../src/access/key.js';
import { type Call, type Case, casesOf } from './case.js';
import type { Environment } from './environment.js';

/** Runs while an invoice of the organization is not paid. */
const unpaid =
  (call: Call<Environment>): Call<Environment> =>
  async (clients, environment) => {
    await environment.network.sql(
      `insert into invoice (id, organization_id, plan_id, period_start, period_end, price_cents, credit_cents,
                            amount_cents, state, created_at)
       values (gen_random_uuid(), $1, 'growth', now(), now(), 100, 0, 100, 'open', now())`,
      [DEFAULT_ORGANIZATION_ID],
    );
    await call(clients, environment).finally(() =>
      environment.network.sql(`update invoice set state = 'void' where state = 'open'`),
    );
  };

/** What organizations have and change, by the ledger of the service itself. */
export const billingCases: readonly Case<Environment>[] = casesOf<Environment>()(
  {
    id: 'billing',
    does: 'reads what the organization has',
    call: ({ api }) => api.billing(),
    look: async ({ api }) => {
      expect(await api.billing()).toMatchObject({
        workos_organization_id: DEFAULT_ORGANIZATION_ID,
        effective_plan: 'endless',
        stripe_customer_id: null,
      });
    },
    beyond: {
      400: 'It takes no parameter that could be wrong.',
      404: 'Each key belongs to an organization, and organizations are never deleted.',
    },
  },
  {
    id: 'upgrade-preview',
    does: 'works out what another plan costs',
    call: ({ api }) => api.upgradePreview({ newPlan: 'growth' }),
    look: async ({ api }) => {
      const seen = await api.upgradePreview({ newPlan: 'scale', productCategory: 'API' });
      expect(seen).toMatchObject({ newPlan: { name: 'scale', price: 99 } });
    },
    errors: {
      402: unpaid(({ api }) => api.upgradePreview({ newPlan: 'top' })),
      404: ({ api }) => api.upgradePreview({ newPlan: 'nothing' }),
    },
  },
  {
    id: 'upgrade',
    does: 'changes the plan at once',
    call: ({ api }) => api.upgrade({ upgradeRequest: { newPlan: 'growth' } }),
    // A larger plan raises the limit of the key, within a second.
    repeated: ({ api }) => api.upgrade({ upgradeRequest: { newPlan: 'nothing' } }),
    look: async ({ api }) => {
      const answer = await api.upgrade({ upgradeRequest: { newPlan: 'scale', productCategory: 'API' } });
      expect(answer).toMatchObject({ success: true, newPlan: 'scale', effectiveImmediately: true });
      expect(await api.billing()).toMatchObject({ effective_plan: 'scale', has_active_subscription: true });
    },
    errors: {
      402: unpaid(({ api }) => api.upgrade({ upgradeRequest: { newPlan: 'top' } })),
      404: ({ api }) => api.upgrade({ upgradeRequest: { newPlan: 'nothing' } }),
    },
  },
);
