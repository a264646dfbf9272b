import { RETRY_WINDOW_MS } from '../../delivery/retry-delay.js';
import type { EventBacklog } from '../../store/event/backlog.js';

/**
 * @param now Unix milliseconds
 * @returns seconds since the oldest pending delivery was written or replayed; 0 if none is pending
 */
export const backlogAge = ({ firstExpiresAt }: EventBacklog, now: number): number =>
  firstExpiresAt === null ? 0 : Math.max(0, (now - firstExpiresAt.getTime() + RETRY_WINDOW_MS) / 1000);
