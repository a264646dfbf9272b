import type { Operation } from '../http/operation.js';
import { publishMessageToSocial } from './publish-message-to-social.js';

export const messageRoutes: readonly Operation[] = [publishMessageToSocial];
