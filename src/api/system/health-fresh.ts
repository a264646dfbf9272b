import type { Static } from 'typebox';
import { HandlerResponse, operation } from '../http/operation.js';
import { checkReadiness, PASSING, Readiness } from './readiness.js';

export const healthFresh = operation({
  id: 'health-fresh',
  path: '/health/fresh',
  tags: ['System'],
  title: 'Check freshness',
  summary:
    'Tell whether all is well: as `/health/ready`, and the hub is connected and not too far ahead, and the database takes writes. For monitoring, not for load balancers.',
  cost: { fixed: 0 },
  scope: 'public',
  response: Readiness,
  outcomes: { 503: Readiness },
  errors: [],
  handle: async (_, services): Promise<Static<typeof Readiness> | HandlerResponse> => {
    const body = await checkReadiness(services);
    return PASSING.fresh.has(body.status) ? body : new HandlerResponse(503, body);
  },
});
