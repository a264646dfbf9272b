import { toUnixMs } from '../protocol/time.js';
import type { Services } from './service.js';

/**
 * Up to when events belong to a list whose first page is read now. That is now, but for what was just written here:
 * of several messages about one thing within a second the last is dated seconds ahead, and the next read shows it.
 *
 * @param now Unix milliseconds
 * @returns Unix milliseconds, `now` or a little later
 */
export const firstPageTimeOf = ({ writer }: Pick<Services, 'writer'>, now: number): number =>
  Math.max(now, toUnixMs(writer.latest()));
