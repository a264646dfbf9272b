import type { Operation } from '../http/operation.js';
import { publishSocialAction } from './publish-social-action.js';

export const actionRoutes: readonly Operation[] = [publishSocialAction];
