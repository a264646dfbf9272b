import { toUnixMs } from '../../protocol/time.js';
import type { Services } from '../http/service.js';

/**
 * The latest time of events in a list whose first page is requested now: now, or later if messages were just written
 * here, because the last of several messages about one subject may be dated seconds ahead.
 * @param now Unix milliseconds
 * @returns Unix milliseconds
 */
export const firstPageTimeOf = ({ writer }: Pick<Services, 'writer'>, now: number): number =>
  Math.max(now, toUnixMs(writer.latest()));
