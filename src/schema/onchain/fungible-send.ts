import Type, { type Static } from 'typebox';
import { EthAddress } from '../address.js';
import { Fid } from '../fid.js';
import { namedObject } from '../named.js';
import { stringEnum } from '../string-enum.js';
import { NftNetwork } from './nft-network.js';

export const TransactionSendFungiblesRecipient = namedObject('TransactionSendFungiblesRecipient', {
  fid: Fid,
  amount: Type.Number({ minimum: 1e-8, description: 'Whole tokens; digits that the token does not have are cut off.' }),
});

export const TransactionSendFungiblesReqBody = namedObject('TransactionSendFungiblesReqBody', {
  network: NftNetwork,
  fungible_contract_address: Type.Optional(EthAddress),
  recipients: Type.Array(TransactionSendFungiblesRecipient, { minItems: 1, maxItems: 200 }),
});

export const TransactionSendFungiblesReceipt = namedObject('TransactionSendFungiblesReceipt', {
  fid: Fid,
  amount: Type.Number(),
  status: stringEnum(['sent', 'failed']),
  reason: Type.Optional(Type.String()),
});

export const TransactionSendTxInfo = namedObject('TransactionSendTxInfo', {
  network: NftNetwork,
  transaction_hash: Type.String(),
  gas_used: Type.String({ description: 'Empty until the transaction is mined.' }),
  approval_hash: Type.String({ description: 'Always empty: nothing needs an approval.' }),
});

export const TransactionSendFungiblesResponse = namedObject('TransactionSendFungiblesResponse', {
  send_receipts: Type.Array(TransactionSendFungiblesReceipt),
  transactions: Type.Array(TransactionSendTxInfo),
});
export type TransactionSendFungiblesResponse = Static<typeof TransactionSendFungiblesResponse>;
