import type { Operation } from '../operation.js';
import { billing } from './billing.js';
import { usage } from './usage.js';

export const organizationRoom: readonly Operation[] = [billing, usage];
