import type { Operation } from '../operation.js';
import { paymentWebhook } from './payment-webhook.js';

export const paymentRoom: readonly Operation[] = [paymentWebhook];
