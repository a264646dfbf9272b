import type { Operation } from '../operation.js';
import { billing } from './billing.js';

export const organizationRoom: readonly Operation[] = [billing];
