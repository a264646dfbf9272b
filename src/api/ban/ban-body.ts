import { invalidField } from '../../error.js';

/** The contract states this limit in the description only. */
export const MAX_FIDS = 100;

/** @returns the distinct fids. @throws AppError 'invalid' with property `fids` for none, and for more than 100 */
export const readFids = ({ fids }: { readonly fids: readonly number[] }): number[] => {
  if (fids.length === 0 || fids.length > MAX_FIDS) {
    throw invalidField('fids', `fids must be a list of 1 to ${MAX_FIDS} fids; there are ${fids.length}`);
  }
  return [...new Set(fids)];
};
