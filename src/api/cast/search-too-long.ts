import { AppError } from '../../error.js';

/**
 * Error of a search that takes too long. A retry would take as long, so it is the request's error. The call is charged,
 * because the work was done.
 * @param filters parameters that narrow the search, besides what `q` may say
 */
export const searchTooLong = (filters: readonly string[], cause?: unknown): AppError => {
  const message =
    'q takes too long to search for: use rarer words or longer prefixes, or narrow it with ' +
    `${filters.join(', ')}, before: or after:`;
  return new AppError('invalid', 'InvalidField', message, { property: 'q', isCharged: true, cause });
};
