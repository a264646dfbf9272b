import { DAY_MS } from '../../duration.js';
import type { ReadinessFailure, ReadinessHistory } from '../http/service.js';

/** Failures that a process remembers. */
const MAX_FAILURES = 200;

/** @param clock in Unix milliseconds */
export const createReadinessHistory = (clock: () => number): ReadinessHistory => {
  const failing = new Map<string, ReadinessFailure>();
  let ended: readonly ReadinessFailure[] = [];
  const since = clock();
  return {
    since,
    add: (check, problem) => {
      const open = failing.get(check);
      if (problem !== undefined) {
        if (open === undefined) failing.set(check, { check, problem, beganAt: clock(), endedAt: null });
      } else if (open !== undefined) {
        failing.delete(check);
        ended = [{ ...open, endedAt: clock() }, ...ended].slice(0, MAX_FAILURES);
      }
    },
    list: () => {
      const recent = ended.filter(({ endedAt }) => (endedAt ?? 0) > clock() - DAY_MS);
      return [...failing.values(), ...recent].toSorted((one, two) => two.beganAt - one.beganAt);
    },
  };
};
