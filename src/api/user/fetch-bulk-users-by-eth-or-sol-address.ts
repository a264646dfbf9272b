import { base58 } from '@scure/base';
import Type from 'typebox';
import { invalidField, notFound } from '../../error.js';
import { bareHex } from '../../hex.js';
import { hydrateUsers } from '../../hydrate/page.js';
import { EthAddress, SolAddress } from '../../schema/address.js';
import { EXAMPLE_CUSTODY_ADDRESS, EXAMPLE_VERIFIED_ADDRESS } from '../../schema/example.js';
import { BulkUsersByAddressResponse } from '../../schema/social/user.js';
import { stringEnum } from '../../schema/string-enum.js';
import { AddressRole } from '../../store/protocol/verification.js';
import { selectAddressOwners } from '../../store/query/account.js';
import { viewUsersByAddress } from '../../view/user-page.js';
import { commaSeparated } from '../http/comma-separated.js';
import { operation } from '../http/operation.js';
import { experimentalHeader, viewerFid } from '../http/parameter.js';

const ROLES = { custody_address: AddressRole.custody, verified_address: AddressRole.verified } as const;

const SOL_BYTES = 32;

/** @returns the address as the key of the response (Ethereum in lower case) and its bytes in hex */
const readAddress = (text: string): [key: string, hex: string] => {
  if (text.startsWith('0x')) return [text.toLowerCase(), text.slice(2).toLowerCase()];
  const bytes = base58.decode(text);
  if (bytes.length !== SOL_BYTES) {
    throw invalidField(
      'addresses',
      `addresses holds ${text}, which is no address: it has ${bytes.length} bytes, not 32`,
    );
  }
  return [text, bareHex(bytes)];
};

export const fetchBulkUsersByEthOrSolAddress = operation({
  id: 'fetch-bulk-users-by-eth-or-sol-address',
  path: '/v2/social/user/bulk-by-address/',
  tags: ['User'],
  title: 'Get users by address',
  summary: 'Find users by custody or verified address. The answer is keyed by address, Ethereum ones in lower case.',
  cost: { each: 2, of: 'addresses' },
  headers: experimentalHeader,
  query: Type.Object({
    addresses: commaSeparated(Type.Union([EthAddress, SolAddress]), { maxItems: 350 }),
    address_types: Type.Optional(
      commaSeparated(stringEnum(['custody_address', 'verified_address']), { repeatable: true }),
    ),
    viewer_fid: viewerFid,
  }),
  parameters: {
    addresses: {
      description: 'Ethereum or Solana addresses, at most 350 together, separated by commas.',
      example: `${EXAMPLE_CUSTODY_ADDRESS},${EXAMPLE_VERIFIED_ADDRESS}`,
    },
    address_types: {
      description: 'How an address may belong to an account: as its custody, or verified by it. Both when absent.',
    },
  },
  response: BulkUsersByAddressResponse,
  errors: [400, 404],
  read: async ({ query }, read) => {
    const wanted = new Map(query.addresses.map(readAddress));
    const roles = (query.address_types ?? ['custody_address', 'verified_address']).map((type) => ROLES[type]);
    const bytes = [...wanted.values()].map((hex) => Buffer.from(hex, 'hex'));
    const owners = await selectAddressOwners(read, bytes, roles);
    const fids = [...new Set(owners.map((owner) => owner.fid))];
    const page = await hydrateUsers(read, fids, { viewer: query.viewer_fid });
    const found = new Map<string, number[]>();
    for (const [key, hex] of wanted) {
      const holders = owners.filter((owner) => owner.address === hex && page.accounts.has(owner.fid));
      if (holders.length > 0) found.set(key, [...new Set(holders.map((owner) => owner.fid))]);
    }
    if (found.size === 0) throw notFound('No account answers to any of these addresses.', 'addresses');
    return viewUsersByAddress(found, page);
  },
});
