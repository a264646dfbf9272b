import { invalidField } from '../../error.js';

/** The contract bounds the list in words alone. */
export const MOST_FIDS = 100;

/** @returns the fids, each once. @throws AppError 'invalid' with property `fids` for none, and for more than 100 */
export const readFids = ({ fids }: { readonly fids: readonly number[] }): number[] => {
  if (fids.length === 0 || fids.length > MOST_FIDS) {
    throw invalidField('fids', `fids must be a list of 1 to ${MOST_FIDS} fids; there are ${fids.length}`);
  }
  return [...new Set(fids)];
};
