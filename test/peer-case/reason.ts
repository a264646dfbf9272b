/** Reasons that several cases have; docs/hub.md and decision 67 say more. */

export const LIKE_SNAPCHAIN = 'The hub of today, snapchain, answers so.';
export const PARAMETER =
  'The fault is that of a parameter, not of a message; snapchain answers INTERNAL, which blames the service.';
export const HTTP_FID = 'Over HTTP a `fid` is at least 1, as the contract has it.';
export const HTTP_REACTION_TYPE = 'Over HTTP `reaction_type` is required, as in snapchain.';
export const ONE_SHARD = 'There is one shard, number 1; 0 means no particular one.';
