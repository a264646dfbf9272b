import { checkedAddress } from '../../onchain/checked-address.js';
import { type TransferOutcome, transferBatch } from '../../onchain/fungible/transfer-batch.js';
import {
  TransactionSendFungiblesRecipient,
  TransactionSendFungiblesReqBody,
  TransactionSendFungiblesResponse,
} from '../../schema/onchain/fungible-send.js';
import { onceForKey, walletHeaders } from '../http/idempotency-key.js';
import { requireKnownMembers } from '../http/known-member.js';
import { operation } from '../http/operation.js';

const TOKEN = 'fungible_contract_address';

const BODY_MEMBERS = Object.keys(TransactionSendFungiblesReqBody.properties);
const RECIPIENT_MEMBERS = Object.keys(TransactionSendFungiblesRecipient.properties);

/** @throws AppError invalid for an unknown member: a token under another name would send the network's coin instead */
const requireStrictBody = (body: { readonly recipients: readonly object[] }): void => {
  requireKnownMembers(body, BODY_MEMBERS, {
    hint: `Name the token in ${TOKEN}; without it the network's own coin is sent.`,
  });
  for (const [index, recipient] of body.recipients.entries()) {
    const hint = 'A recipient has a fid and an amount in whole tokens.';
    requireKnownMembers(recipient, RECIPIENT_MEMBERS, { path: `recipients[${index}]`, hint });
  }
};

const isFinal = ({ transactions }: TransactionSendFungiblesResponse): boolean =>
  transactions.length > 0 && transactions.every(({ gas_used }) => gas_used !== '');

export const sendFungiblesToUsers = operation({
  id: 'send-fungibles-to-users',
  method: 'POST',
  path: '/v2/social/fungible/send/',
  tags: ['Onchain'],
  title: 'Send tokens',
  summary: 'Send tokens to up to 200 users from a managed wallet, with a transaction for each of them.',
  cost: { each: 50, of: 'recipients', in: 'body' },
  scope: 'wallet',
  waitsOutside: true,
  headers: walletHeaders,
  body: TransactionSendFungiblesReqBody,
  bodyExample: { network: 'base', recipients: [{ fid: 1, amount: 0.0001 }] },
  response: TransactionSendFungiblesResponse,
  errors: [400, 409, 500],
  handle: (request, services) =>
    onceForKey(
      services,
      request,
      'send-fungibles-to-users',
      async (idempotencyRecord): Promise<TransactionSendFungiblesResponse> => {
        const { body, caller, headers } = request;
        const { db, sender, wallets, networks, responseTimeouts } = services;
        const { network, recipients, [TOKEN]: address } = body;
        requireStrictBody(body);
        const wallet = await wallets.use(caller.organizationId, headers['x-wallet-id']);
        const client = networks.client(network, 'network');
        const contract = address === undefined ? undefined : checkedAddress(address, TOKEN);
        const outcomes = await transferBatch(
          { db, sender, client },
          {
            ...{ wallet, network, contract, payments: recipients, idempotencyRecord },
            property: TOKEN,
            timeoutMs: responseTimeouts.receipt,
          },
        );
        return {
          send_receipts: recipients.map(({ fid, amount }, index) => {
            const { reason } = outcomes[index] as TransferOutcome;
            return { fid, amount, ...(reason === undefined ? { status: 'sent' } : { status: 'failed', reason }) };
          }),
          transactions: outcomes.flatMap(({ transaction }) =>
            transaction === undefined
              ? []
              : [
                  {
                    network,
                    transaction_hash: transaction.hash,
                    gas_used: transaction.gasUsed?.toString() ?? '',
                    approval_hash: '',
                  },
                ],
          ),
        };
      },
      isFinal,
    ),
});
