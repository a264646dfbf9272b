import Type from 'typebox';
import { hydrateUsers } from '../../hydrate/page.js';
import { FidOrZero } from '../../schema/fid.js';
import { VerificationsResponse } from '../../schema/social/verification.js';
import { selectVerificationsWithApp } from '../../store/query/verification.js';
import { viewVerifications } from '../../view/verification.js';
import { operation } from '../http/operation.js';

export const fetchVerifications = operation({
  id: 'fetch-verifications',
  path: '/v2/social/user/verifications/',
  tags: ['User'],
  title: "List a user's verified addresses",
  summary: 'List the verified addresses of a user, oldest first, with the app that added each where it is known.',
  cost: { fixed: 2 },
  query: Type.Object({ fid: FidOrZero }),
  parameters: { fid: { description: 'The account whose verified addresses are listed.', example: 1 } },
  response: VerificationsResponse,
  errors: [400, 500],
  read: async ({ query }, read) => {
    const rows = await selectVerificationsWithApp(read, query.fid);
    const dehydrated = rows.flatMap((row) => row.appFid ?? []);
    return viewVerifications(rows, await hydrateUsers(read, [], { dehydrated }));
  },
});
