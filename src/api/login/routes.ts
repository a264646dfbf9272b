import type { Operation } from '../http/operation.js';
import { fetchNonce } from './fetch-nonce.js';

export const loginRoutes: readonly Operation[] = [fetchNonce];
