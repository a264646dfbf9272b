/**
 * Score from which the casts of an account count in rankings, unless no account has it: a new network has no scores yet.
 */
export const TRUSTED_SCORE = 0.1;
