import Type from 'typebox';
import { notFound } from '../../error.js';
import { hydrateUsers } from '../../hydrate/page.js';
import { EthAddress } from '../../schema/address.js';
import { EXAMPLE_CUSTODY_ADDRESS } from '../../schema/example.js';
import { UserResponse } from '../../schema/social/user.js';
import { AddressRole } from '../../store/protocol/verification.js';
import { selectAddressOwners } from '../../store/query/account.js';
import { viewUserResponse } from '../../view/user-page.js';
import { operation } from '../http/operation.js';

export const lookupUserByCustodyAddress = operation({
  id: 'lookup-user-by-custody-address',
  path: '/v2/social/user/custody-address/',
  tags: ['User'],
  title: 'Get a user by custody address',
  summary: 'Read one user by custody address.',
  cost: { fixed: 2 },
  query: Type.Object({ custody_address: EthAddress }),
  parameters: {
    custody_address: {
      description: 'The Ethereum address that owns the account on chain.',
      example: EXAMPLE_CUSTODY_ADDRESS,
    },
  },
  response: UserResponse,
  errors: [400, 404],
  read: async ({ query }, read) => {
    const address = Buffer.from(query.custody_address.slice(2), 'hex');
    const [owner] = await selectAddressOwners(read, [address], [AddressRole.custody]);
    const page = await hydrateUsers(read, owner ? [owner.fid] : []);
    if (owner === undefined || !page.accounts.has(owner.fid)) {
      throw notFound(`No account is in the custody of ${query.custody_address}.`, 'custody_address');
    }
    return viewUserResponse(owner.fid, page);
  },
});
