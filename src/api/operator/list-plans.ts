import { OperatorPlansResponse } from '../../schema/operator/organization.js';
import { operation } from '../http/operation.js';

export const listPlans = operation({
  id: 'list-plans',
  path: '/operator/plans',
  tags: ['operator'],
  title: 'List plans',
  summary: 'List the plans of this service with what they cost and allow.',
  cost: { fixed: 0 },
  scope: 'operator',
  response: OperatorPlansResponse,
  errors: [403],
  handle: (_request, { plans }) => ({
    plans: plans.all.map(({ id, name, category, priceCents, units, requestsPerMinute, webhooks, apps, offered }) => ({
      id,
      name,
      category,
      price_cents: priceCents,
      compute_units: units,
      requests_per_minute: requestsPerMinute,
      webhooks,
      apps,
      is_offered: offered !== false,
      is_default: id === plans.fallback.id,
    })),
  }),
});
