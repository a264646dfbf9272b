import type { ResponseOf } from '../api/client.js';
import { useApi } from '../api/query.js';
import { may } from '../api/session.js';

export const BACKLOGS = '/portal/webhooks';
export type Backlog = ResponseOf<typeof BACKLOGS, 'get'>['webhooks'][number];

/** @returns whether someone has to look at a webhook: it is off, fails, or gave up */
export const needsLook = ({ active, failing_since: failingSince, dead }: Backlog): boolean =>
  !active || failingSince !== null || dead > 0;

/** @param isListed false: it is of the frame, not of the page */
export const useBacklogs = (isListed = true) =>
  useApi(BACKLOGS, undefined, { enabled: may('webhook'), every: 30_000, isListed });
