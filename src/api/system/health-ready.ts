import type { Static } from 'typebox';
import { HandlerResponse, operation } from '../http/operation.js';
import { checkReadiness, PASSING, Readiness } from './readiness.js';

export const healthReady = operation({
  id: 'health-ready',
  path: '/health/ready',
  tags: ['System'],
  title: 'Check readiness',
  summary:
    'Tell whether requests should be sent here: the database answers, and no migration is missing. What is late or cannot be written is in the body, too, and fails `/health/fresh` alone.',
  cost: { fixed: 0 },
  scope: 'public',
  response: Readiness,
  outcomes: { 503: Readiness },
  errors: [],
  handle: async (_, services): Promise<Static<typeof Readiness> | HandlerResponse> => {
    const body = await checkReadiness(services);
    return PASSING.ready.has(body.status) ? body : new HandlerResponse(503, body);
  },
});
