import Type from 'typebox';
import { operation } from '../operation.js';

export const healthLive = operation({
  id: 'health-live',
  method: 'GET',
  path: '/health/live',
  tags: ['System'],
  summary: 'Tell whether the process answers at all.',
  family: 'v2',
  scope: 'public',
  response: Type.Object({ status: Type.Literal('live') }),
  errors: [],
  handle: () => ({ status: 'live' as const }),
});
