import type { Operation } from '../operation.js';
import { publishSocialAction } from './publish-social-action.js';

export const actionRoom: readonly Operation[] = [publishSocialAction];
