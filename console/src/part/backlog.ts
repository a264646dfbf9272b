import type { ResponseOf } from '../api/client.js';
import { useApi } from '../api/query.js';
import { may } from '../api/session.js';
import { counted, formatNumber } from './text.js';

export const BACKLOGS = '/portal/webhooks';
export type Backlog = ResponseOf<typeof BACKLOGS, 'get'>['webhooks'][number];

/** The service counts so many deliveries of a webhook. */
const MOST = 10_000;

/** @returns a number of deliveries, as a table shows it */
export const formatDeliveries = (count: number): string =>
  count > MOST ? `over ${formatNumber(MOST)}` : formatNumber(count);

/** @returns a number of events with its word */
export const countedEvents = (count: number, one = 'event', many = 'events'): string =>
  count > MOST ? `${formatDeliveries(count)} ${many}` : counted(count, one, many);

/** @returns whether someone has to look at a webhook: the service switched it off, it fails, or it gave up */
export const needsLook = ({ inactive_reason: reason, failing_since: failingSince, dead }: Backlog): boolean =>
  reason !== null || failingSince !== null || dead > 0;

/** @param isListed false: it is of the frame, not of the page */
export const useBacklogs = (isListed = true) =>
  useApi(BACKLOGS, undefined, { enabled: may('webhook'), every: 30_000, isListed });
