import Type from 'typebox';
import { operation } from '../http/operation.js';

export const healthLive = operation({
  id: 'health-live',
  path: '/health/live',
  tags: ['System'],
  title: 'Check liveness',
  summary: 'Tell whether the process answers at all.',
  cost: { fixed: 0 },
  scope: 'public',
  response: Type.Object({ status: Type.Literal('live') }),
  errors: [],
  handle: () => ({ status: 'live' as const }),
});
