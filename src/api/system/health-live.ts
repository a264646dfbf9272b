import Type from 'typebox';
import { operation } from '../http/operation.js';

export const healthLive = operation({
  id: 'health-live',
  path: '/health/live',
  tags: ['System'],
  summary: 'Tell whether the process answers at all.',
  scope: 'public',
  response: Type.Object({ status: Type.Literal('live') }),
  errors: [],
  handle: () => ({ status: 'live' as const }),
});
