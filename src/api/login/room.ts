import type { Operation } from '../operation.js';
import { fetchNonce } from './fetch-nonce.js';

export const loginRoom: readonly Operation[] = [fetchNonce];
