/** How many of a number of trials had an outcome. */
export interface Share {
  readonly count: number;
  /** At least `count`. */
  readonly of: number;
}

const term = (observed: number, expected: number): number =>
  observed === 0 ? 0 : observed * Math.log(observed / expected);

/**
 * Dunning's log-likelihood ratio ("Accurate Methods for the Statistics of Surprise and Coincidence", 1993) of the
 * hypothesis that both shares have the same probability: 2 * sum of observed * ln(observed / expected) over the four
 * cells.
 * @returns 0 or more; 0 if the shares are equal, or if one of them has no trials
 */
export const logLikelihoodRatio = (a: Share, b: Share): number => {
  const trials = a.of + b.of;
  const count = a.count + b.count;
  if (a.of === 0 || b.of === 0 || count === 0 || count === trials) return 0;
  const rest = trials - count;
  const sum =
    term(a.count, (a.of * count) / trials) +
    term(b.count, (b.of * count) / trials) +
    term(a.of - a.count, (a.of * rest) / trials) +
    term(b.of - b.count, (b.of * rest) / trials);
  // Rounding may leave a little less than 0.
  return Math.max(0, 2 * sum);
};

/** Differences that occur once in a thousand times by chance are above it (chi-square with one degree of freedom). */
const SIGNIFICANT = 10.83;

/**
 * How strong a burst is: the log-likelihood ratio of today's share against that of the days before, times the number of
 * authors today.
 * @param today authors who used a term, of the authors who cast
 * @param before the same for each earlier day, summed
 * @returns 0 if the share did not rise significantly
 */
export const burstOf = (today: Share, before: Share): number => {
  if (today.count * before.of <= before.count * today.of) return 0;
  const ratio = logLikelihoodRatio(today, before);
  return ratio < SIGNIFICANT ? 0 : ratio * today.count;
};
