import type { Static } from 'typebox';
import { HandlerResponse, operation } from '../http/operation.js';
import { checkReadiness, Readiness } from './readiness.js';

export const healthReady = operation({
  id: 'health-ready',
  path: '/health/ready',
  tags: ['System'],
  title: 'Check readiness',
  summary: 'Tell whether requests should be sent here: the database answers and takes writes, migrations, ingest lag.',
  cost: { fixed: 0 },
  scope: 'public',
  response: Readiness,
  outcomes: { 503: Readiness },
  errors: [],
  handle: async ({ log }, { readiness }): Promise<Static<typeof Readiness> | HandlerResponse> => {
    const body = await checkReadiness(log, readiness);
    return body.status === 'ready' ? body : new HandlerResponse(503, body);
  },
});
