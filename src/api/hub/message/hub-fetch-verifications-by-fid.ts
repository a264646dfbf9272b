import { base58ToBytes } from '@farcaster/core';
import Type from 'typebox';
import { invalidField } from '../../../error.js';
import { HubVerificationsResponse } from '../../../schema/hub/verification.js';
import { operation } from '../../http/operation.js';
import { messagePageQuery } from '../page-query.js';
import { bytesOf, fidQuery } from '../parameter.js';
import { AUTHOR_TEXT } from '../parameter-text.js';
import { verificationsOf } from './list.js';
import { messageList, renderMessagePage } from './page.js';
import { findVerification } from './single.js';

/** @throws AppError invalid, property `address`, for text that is neither an Ethereum nor a Solana address */
const addressOf = (text: string): Uint8Array => {
  if (/^0x[0-9a-fA-F]{40}$/.test(text)) return bytesOf(text, 'address', 20);
  const bytes = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text) ? base58ToBytes(text).unwrapOr(undefined) : undefined;
  if (bytes?.length !== 32) {
    throw invalidField('address', 'address must be an Ethereum address (0x and 40 hex digits) or a Solana address');
  }
  return bytes;
};

export const hubFetchVerificationsByFid = operation({
  id: 'hub-fetch-verifications-by-fid',
  path: '/v1/verificationsByFid',
  tags: ['Hub Verifications'],
  title: 'List verification messages',
  summary: 'List verification messages of a FID.',
  cost: { fixed: 200 },
  query: Type.Object({
    fid: fidQuery,
    address: Type.Optional(Type.String({ description: 'Only the verification of this address.' })),
    ...messagePageQuery,
  }),
  parameters: { fid: AUTHOR_TEXT },
  response: HubVerificationsResponse,
  read: async ({ query }, read) => {
    const { fid, address } = query;
    if (address === undefined) return renderMessagePage(read, await verificationsOf(read, fid, query));
    const envelope = await findVerification(read, fid, addressOf(address));
    return messageList(read, envelope === undefined ? [] : [envelope]);
  },
});
