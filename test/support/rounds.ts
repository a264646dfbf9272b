/**
 * @param full how many random courses `npm run test:everything` tries
 * @returns how many this run tries: all of them there, otherwise a third. The seed is fixed, so a third is always the same.
 */
export const rounds = (full: number): number =>
  process.env.CASTELLAN_TEST_THOROUGH === '1' ? full : Math.ceil(full / 3);
