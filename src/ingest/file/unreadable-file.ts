import { AppError } from '../../error.js';

/** @returns the error for a file that cannot be read */
export const unreadableFile = (path: string, error: unknown): AppError =>
  new AppError('not_found', 'FileUnreadable', `${path} cannot be read: ${(error as Error).message}.`, {
    property: 'file',
  });
