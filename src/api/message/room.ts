import type { Operation } from '../operation.js';
import { publishMessageToSocial } from './publish-message-to-social.js';

/** Messages that were signed elsewhere. */
export const messageRoom: readonly Operation[] = [publishMessageToSocial];
