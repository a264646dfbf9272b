import { isUuid } from '../uuid.js';
import type { Parse } from './parse.js';

/** The same in every development service, so that printed requests can be pasted anywhere. */
export const DEVELOPMENT_WALLET_ID = '00000000-0000-4000-8000-0000000000de';

/** The id of a wallet of the service. */
export const walletId: Parse<string | undefined> = (text, report) =>
  isUuid(text) ? text.toLowerCase() : report('is no UUID, as `castellan wallet list` shows it.');
