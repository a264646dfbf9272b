import { MINUTE_MS } from '../../duration.js';
import { RequestCountsResponse } from '../../schema/portal/request-log.js';
import { selectRequestMinutes } from '../../store/access/request-log.js';
import { operation } from '../http/operation.js';

const MINUTES = 60;

export const countRequests = operation({
  id: 'count-requests',
  path: '/portal/requests/count',
  tags: ['portal', 'organization'],
  title: 'Count requests by minute',
  summary:
    'Count the requests with keys of the calling organization in each minute of the last hour, and those that failed.',
  cost: { fixed: 0 },
  scope: 'portal',
  isUnlisted: true,
  response: RequestCountsResponse,
  errors: [403],
  handle: async ({ caller }, { db, clock, requestLog }) => {
    const now = clock();
    const running = now - (now % MINUTE_MS);
    const first = running - (MINUTES - 1) * MINUTE_MS;
    const rows = await selectRequestMinutes(db, caller.organizationId, new Date(first - 1));
    const counted = new Map(rows.map(({ minute, ...counts }) => [minute.getTime(), counts]));
    return {
      is_on: requestLog !== undefined,
      minutes: Array.from({ length: MINUTES }, (_, n) => {
        const at = first + n * MINUTE_MS;
        return { at: new Date(at).toISOString(), requests: 0, failed: 0, unlisted: 0, ...counted.get(at) };
      }),
    };
  },
});
