import type { Operation } from '../http/operation.js';
import { createTransactionPayFrame } from './create-transaction-pay-frame.js';
import { getTransactionPayFrame } from './get-transaction-pay-frame.js';

export const payFrameRoutes: readonly Operation[] = [createTransactionPayFrame, getTransactionPayFrame];
