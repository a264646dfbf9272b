import type { Operation } from '../http/operation.js';
import { createStreamTicket } from './create-stream-ticket.js';
import { streamEvents } from './stream-events.js';

export const streamRoutes: readonly Operation[] = [streamEvents, createStreamTicket];
