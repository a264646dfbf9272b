import Type from 'typebox';
import { ETH_ADDRESS_BYTES, SOL_ADDRESS_BYTES } from '../../../protocol/limit.js';
import { EXAMPLE_CUSTODY_ADDRESS } from '../../../schema/example.js';
import { HubFidAddressType } from '../../../schema/hub/signer.js';
import { operation } from '../../http/operation.js';
import { bytesOf, fidQuery } from '../parameter.js';
import { readFidAddressType } from './fid-address-type.js';

const LONG_ADDRESS = /^(?:0x)?[0-9a-fA-F]{64}$/;

export const hubLookupFidAddressType = operation({
  id: 'hub-lookup-fid-address-type',
  path: '/v1/fidAddressType',
  tags: ['Hub Signers'],
  title: 'Get what an address is to an account',
  summary: 'Own extension: tell whether an address is the custody address, an auth address or a verified one.',
  cost: { fixed: 2 },
  query: Type.Object({ fid: fidQuery, address: Type.String() }),
  parameters: {
    fid: { description: 'The account.', example: 1 },
    address: {
      description: 'In hex, with or without 0x: 20 bytes, or 32 of a Solana address.',
      example: EXAMPLE_CUSTODY_ADDRESS,
    },
  },
  response: HubFidAddressType,
  handle: async ({ query: { fid, address } }, { db }) => {
    const bytes = bytesOf(address, 'address', LONG_ADDRESS.test(address) ? SOL_ADDRESS_BYTES : ETH_ADDRESS_BYTES);
    const { isCustody, isAuth, isVerified } = await readFidAddressType(db, fid, bytes);
    return { is_custody: isCustody, is_auth: isAuth, is_verified: isVerified };
  },
});
