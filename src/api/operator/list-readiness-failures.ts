import { ReadinessFailuresResponse } from '../../schema/operator/readiness.js';
import { operation } from '../http/operation.js';

const isoOf = (ms: number): string => new Date(ms).toISOString();

export const listReadinessFailures = operation({
  id: 'list-readiness-failures',
  path: '/operator/readiness',
  tags: ['operator'],
  title: 'List failures of readiness',
  summary:
    'List when checks of `/health/ready` failed within a day, as the answering process saw it when it was asked.',
  cost: { fixed: 0 },
  scope: 'operator',
  response: ReadinessFailuresResponse,
  errors: [403],
  handle: async (_request, { readinessHistory }) => ({
    since: isoOf(readinessHistory.since),
    failures: readinessHistory.list().map(({ check, problem, beganAt, endedAt }) => ({
      check,
      problem,
      began_at: isoOf(beganAt),
      ended_at: endedAt === null ? null : isoOf(endedAt),
    })),
  }),
});
