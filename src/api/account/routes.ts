import type { Operation } from '../http/operation.js';
import { getFreshAccountFid } from './get-fresh-account-fid.js';
import { registerAccountOperation } from './register-account.js';
import { registerAccountOnchain } from './register-account-onchain.js';

export const accountRoutes: readonly Operation[] = [
  getFreshAccountFid,
  registerAccountOperation,
  registerAccountOnchain,
];
