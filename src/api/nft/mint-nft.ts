import { checkedAddress } from '../../onchain/checked-address.js';
import { type MintOutcome, mintBatch } from '../../onchain/nft/mint-batch.js';
import { resolveRecipients } from '../../onchain/nft/mint-recipient.js';
import { MintNftReqBody, MintNftResponse, type NftMintRecipient } from '../../schema/onchain/nft-mint.js';
import { onceForKey, walletHeaders } from '../http/idempotency-key.js';
import { operation } from '../http/operation.js';

type Transaction = MintNftResponse['transactions'][number];

/** @param requested the requested recipient; the response has its address in the same spelling */
const viewOutcome = (outcome: MintOutcome, requested: NftMintRecipient | undefined): Transaction => {
  const { fid, quantity } = outcome.recipient;
  const address = requested?.address ?? outcome.recipient.address;
  const whom = { ...(fid === undefined ? {} : { fid }), quantity };
  if ('error' in outcome) {
    return { recipient: { ...(address === undefined ? {} : { address }), ...whom }, error: outcome.error };
  }
  const { hash, receipt, tokenIds } = outcome;
  const tokens = tokenIds && { tokens: tokenIds.map((id) => ({ token_id: id.toString() })) };
  return {
    recipient: { address: address as string, ...whom, ...tokens },
    transaction_hash: hash,
    receipt: receipt
      ? { status: receipt.status, gas_used: receipt.gasUsed.toString(), block_number: receipt.blockNumber.toString() }
      : null,
  };
};

/** A response is not final if nothing was sent or a transaction is not mined yet: a retry may have more results. */
const isFinal = ({ transactions }: MintNftResponse): boolean =>
  transactions.some((one) => 'transaction_hash' in one) &&
  transactions.every((one) => 'error' in one || one.receipt !== null);

export const mintNft = operation({
  id: 'mint-nft',
  method: 'POST',
  path: '/v2/social/nft/mint/',
  tags: ['NFTs'],
  title: 'Mint NFTs',
  summary: 'Mint tokens to up to 200 recipients from a managed wallet, with a transaction for each of them.',
  cost: { each: 50, of: 'recipients', in: 'body' },
  scope: 'wallet',
  waitsOutside: true,
  headers: walletHeaders,
  body: MintNftReqBody,
  bodyExample: { contract_address: `0x${'11'.repeat(20)}`, network: 'base', recipients: [{ fid: 1, quantity: 1 }] },
  bodyExampleNote: 'Put the address of a collection that you deployed into `contract_address`.',
  response: MintNftResponse,
  errors: [400, 401, 402, 403, 404, 409, 500],
  invalidBody: 'validation',
  handle: (request, services) =>
    onceForKey(
      services,
      request,
      'mint-nft',
      async (idempotencyRecord): Promise<MintNftResponse> => {
        const { body, caller, headers } = request;
        const { db, sender, wallets, networks, clock, responseTimeouts } = services;
        const wallet = await wallets.use(caller.organizationId, headers['x-wallet-id']);
        const { network } = body;
        const contract = checkedAddress(body.contract_address, 'contract_address');
        const client = networks.client(network, 'network');
        const recipients = await resolveRecipients(db, body.recipients, network, 'recipients');
        const minted = { contract, network, property: 'contract_address' };
        const timeoutMs = body.async === true ? 0 : responseTimeouts.receipt;
        const parts = { db, sender, client, clock };
        const outcomes = await mintBatch(parts, {
          wallet,
          network,
          minted,
          recipients,
          idempotencyRecord: idempotencyRecord,
          timeoutMs,
        });
        return { transactions: outcomes.map((outcome, index) => viewOutcome(outcome, body.recipients[index])) };
      },
      isFinal,
    ),
});
