import type { Operation } from '../http/operation.js';
import { paymentWebhook } from './payment-webhook.js';

export const paymentRoutes: readonly Operation[] = [paymentWebhook];
