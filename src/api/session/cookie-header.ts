import Type from 'typebox';
import { CONSOLE_HEADER } from '../../access/console-session.js';
import { AppError } from '../../error.js';

/** Headers of requests about the session itself. */
export const cookieHeaders = Type.Object({
  cookie: Type.Optional(Type.String({ description: 'With `castellan_session`, which only browsers have.' })),
  [CONSOLE_HEADER]: Type.Optional(Type.String({ description: 'Any text; it keeps pages of other sites from asking.' })),
});

/** @returns the error of a request without a session */
export const noSession = (): AppError => new AppError('unauthorized', 'NoSession', 'Nobody is signed in.');
