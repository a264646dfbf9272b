import Type from 'typebox';
import { AppError } from '../../error.js';
import { AuthorizationUrlResponse } from '../../schema/social/signer.js';
import { stringEnum } from '../../schema/string-enum.js';
import { operation } from '../http/operation.js';

export const fetchAuthorizationUrl = operation({
  id: 'fetch-authorization-url',
  path: '/v2/social/login/authorize/',
  tags: ['Signer'],
  title: 'Get an authorization URL (retired)',
  summary: 'Retired sign-in flow: always answers 410; managed signers replace it.',
  cost: { fixed: 1 },
  query: Type.Object({
    client_id: Type.String({ format: 'uuid' }),
    response_type: stringEnum(['code']),
  }),
  parameters: {
    client_id: { description: 'Id of the app that asks.' },
    response_type: { description: 'Always `code`.' },
  },
  response: AuthorizationUrlResponse,
  errors: [400, 401, 410],
  handle: () => {
    const message =
      'This sign-in flow is retired: create a signer (POST /v2/social/signer/) and let the user approve it.';
    throw new AppError('gone', 'Gone', message);
  },
});
