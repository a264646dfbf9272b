import type { ResponseOf } from '../api/client.js';
import { useApi } from '../api/query.js';
import { may } from '../api/session.js';

export const BACKLOGS = '/portal/webhooks';
export type Backlog = ResponseOf<typeof BACKLOGS, 'get'>['webhooks'][number];

/** @returns whether someone has to look at a webhook: the service switched it off, it fails, or it gave up */
export const needsLook = ({ inactive_reason: reason, failing_since: failingSince, dead }: Backlog): boolean =>
  reason !== null || failingSince !== null || dead > 0;

/** @param isListed false: it is of the frame, not of the page */
export const useBacklogs = (isListed = true) =>
  useApi(BACKLOGS, undefined, { enabled: may('webhook'), every: 30_000, isListed });
