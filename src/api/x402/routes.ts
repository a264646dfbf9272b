import type { Operation } from '../http/operation.js';
import { createX402Signature } from './create-x402-signature.js';
import { createX402Siwx } from './create-x402-siwx.js';

export const x402Routes: readonly Operation[] = [createX402Signature, createX402Siwx];
