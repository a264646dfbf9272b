import type { Operation } from '../http/operation.js';
import { billing } from './billing.js';
import { usage } from './usage.js';

export const organizationRoutes: readonly Operation[] = [billing, usage];
