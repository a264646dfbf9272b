import { randomUUID } from 'node:crypto';
import { invalidField } from '../../error.js';
import { fromHex } from '../../hex.js';
import { checkedAddress, usableAddress } from '../../onchain/checked-address.js';
import { readTerms } from '../../onchain/payment/terms.js';
import {
  FramePayTransactionReqBody,
  type TransactionFrameConfig,
  TransactionFrameResponse,
} from '../../schema/onchain/pay-frame.js';
import { insertPayFrame, selectPayFrame } from '../../store/onchain/pay-frame.js';
import { idempotent } from '../../write/idempotency.js';
import { operation } from '../http/operation.js';
import { viewPayFrame } from './view-pay-frame.js';

const TO = 'transaction.to';
/** Of `config` as JSON: it is stored with the page and sent to everybody who opens it. */
const MAX_CONFIG_BYTES = 24 * 1024;
const MAX_ALLOWED_FIDS = 1000;

const checkConfig = (config: TransactionFrameConfig): void => {
  const { allowlist_fids: fids } = config;
  if (fids?.length === 0 || (fids && fids.length > MAX_ALLOWED_FIDS)) {
    const message = `config.allowlist_fids must have 1 to ${MAX_ALLOWED_FIDS} accounts; leave it out to let anybody pay.`;
    throw invalidField('config.allowlist_fids', message);
  }
  if (Buffer.byteLength(JSON.stringify(config)) > MAX_CONFIG_BYTES) {
    throw invalidField('config', `config must have at most ${MAX_CONFIG_BYTES / 1024} KiB as JSON.`);
  }
};

export const createTransactionPayFrame = operation({
  id: 'create-transaction-pay-frame',
  method: 'POST',
  path: '/v2/social/frame/transaction/pay/',
  tags: ['Agents'],
  title: 'Ask for a payment',
  summary: 'Create a mini app that collects one payment; the service finds the payment on the chain.',
  cost: { fixed: 20 },
  waitsOutside: true,
  body: FramePayTransactionReqBody,
  bodyExample: {
    transaction: {
      to: {
        network: 'base',
        address: `0x${'44'.repeat(20)}`,
        token_contract_address: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
        amount: 5,
      },
    },
    config: { line_items: [{ name: 'Tomato seeds', description: 'A bag of 20.' }] },
  },
  bodyExampleNote:
    'Put your address into `address`, and a token of a configured network into `token_contract_address`.',
  response: TransactionFrameResponse,
  errors: [400, 401, 409, 500],
  handle: async ({ body, caller }, { db, networks, clock, publicUrl }) => {
    const { idem, transaction, config } = body;
    const { network, amount } = transaction.to;
    const request = { appId: caller.appId, operation: 'create-transaction-pay-frame', idem, body };
    const { id } = await idempotent({ db, clock }, request, async (idempotencyRecord) => {
      checkConfig(config);
      const recipient = usableAddress(transaction.to.address, `${TO}.address`);
      const token = checkedAddress(transaction.to.token_contract_address, `${TO}.token_contract_address`);
      const client = networks.client(network, `${TO}.network`);
      const terms = await readTerms(client, { token, amount: String(amount) }, TO);
      const own = Buffer.from(randomUUID());
      // Two requests with the same `idem` make one page.
      const decided = Buffer.from((await idempotencyRecord?.storeDecision(own)) ?? own).toString();
      await insertPayFrame(db, {
        id: decided,
        appId: caller.appId,
        network,
        chainId: networks.chainId(network),
        recipient: fromHex(recipient),
        token: fromHex(token),
        amount: String(amount),
        units: terms.units.toString(),
        symbol: terms.symbol,
        createdBlock: Number(terms.block),
        config,
        createdAt: new Date(clock()),
      });
      return { id: decided };
    });
    const frame = await selectPayFrame(db, id);
    if (!frame) throw new Error(`pay frame ${id} is missing`);
    return { transaction_frame: viewPayFrame(frame, frame.isCompleted, publicUrl) };
  },
});
