import type { Operation } from '../http/operation.js';
import { isFnameAvailable } from './is-fname-available.js';

export const fnameRoutes: readonly Operation[] = [isFnameAvailable];
