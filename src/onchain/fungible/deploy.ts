import { type Address, encodeDeployData, hexToBytes } from 'viem';
import { afterCommit } from '../../db/commit-outcome.js';
import type { Database } from '../../db/database.js';
import type { Session } from '../../db/statement.js';
import { DAY_MS } from '../../duration.js';
import { AppError } from '../../error.js';
import {
  countTokenDeployments,
  insertTokenDeployment,
  selectTokenMedia,
} from '../../store/onchain/token-deployment.js';
import { fixedSupplyTokenAbi as abi, fixedSupplyTokenBytecode as bytecode } from '../artifact/fixed-supply-token.js';
import type { Call, SendFailure, WalletRequest } from '../transaction/call.js';
import { receiptOf } from '../transaction/receipt-wait.js';
import type { Sender } from '../transaction/sender.js';
import { contractUri, type TokenDescription } from './contract-uri.js';

interface Dependencies {
  readonly db: Database;
  readonly sender: Sender;
  /** Unix milliseconds. */
  readonly clock: () => number;
}

/** The picture of a token. */
export interface TokenMedia {
  readonly url: string;
  /** Stores the file, if there is one, in the transaction that decides on the deployment. */
  readonly store?: (session: Session) => Promise<void>;
}

export interface TokenDeployment extends WalletRequest {
  readonly appId: string;
  /** How many tokens the app may deploy a day from this wallet of the operator; undefined: it is the app's own. */
  readonly maxPerDay: number | undefined;
  /** Gets the whole supply; lower case. */
  readonly owner: Address;
  readonly description: Omit<TokenDescription, 'image'>;
  readonly media: TokenMedia | undefined;
  /** How long to wait for the block, in milliseconds. */
  readonly timeoutMs: number;
}

export interface DeployedToken {
  /** Lower case. */
  readonly address: Address;
  readonly mediaUrl: string | null;
}

const requireWithinLimit = async (session: Session, appId: string, maxPerDay: number, now: number): Promise<void> => {
  if ((await countTokenDeployments(session, appId, new Date(now - DAY_MS))) < maxPerDay) return;
  const message = `The operator of this service pays for ${maxPerDay} tokens of an app a day (CASTELLAN_TOKEN_DEPLOYMENTS): try again later, or send x-wallet-id with a wallet of your own.`;
  throw new AppError('invalid', 'DeploymentLimitReached', message);
};

const notSent = ({ failure: { code, message } }: SendFailure, isOperators: boolean): AppError =>
  !isOperators
    ? new AppError('invalid', code, message, { property: 'x-wallet-id' })
    : // Neither the address nor the balance of the operator's wallet concerns the caller.
      new AppError('internal', code, `The wallet of this service cannot pay for it: its operator must look after it.`);

/**
 * Deploys an ERC-20 token of 18 decimals with a fixed supply of 1,000,000,000, all of which its owner gets. Its row is
 * committed together with the transaction's, before the broadcast.
 * @throws AppError invalid for a description that is too long, if the app has reached its limit, or its wallet lacks
 *   coins; internal if it is not mined in time, or was mined without success; and what the sender throws
 */
export const deployToken = async (
  { db, sender, clock }: Dependencies,
  deployment: TokenDeployment,
): Promise<DeployedToken> => {
  const { appId, wallet, maxPerDay, network, owner, description, media, idempotencyRecord } = deployment;
  const isOperators = maxPerDay !== undefined;
  const plan = async (): Promise<Call[]> => {
    const uri = contractUri({ ...description, ...(media && { image: media.url }) });
    const { name, symbol } = description;
    return [
      { data: encodeDeployData({ abi, bytecode, args: [name, symbol, uri, owner] }), value: 0n, purpose: 'deploy' },
    ];
  };
  const [sent] = await sender.send(wallet, network, plan, {
    idempotencyRecord,
    written: async (session, [outcome]) => {
      if (!outcome || 'failure' in outcome) return;
      const now = clock();
      if (isOperators) await requireWithinLimit(session, appId, maxPerDay, now);
      await media?.store?.(session);
      await insertTokenDeployment(session, {
        transactionId: outcome.id,
        appId,
        isOperators,
        owner: hexToBytes(owner),
        mediaUrl: media?.url ?? null,
        createdAt: new Date(now),
      });
    },
  });
  if (!sent) throw new Error('the sender answered nothing');
  if ('failure' in sent) throw notSent(sent, isOperators);
  const receipt = await receiptOf(sender, sent.id, deployment.timeoutMs);
  if (!receipt) {
    const message = `The token is on its way with the transaction ${sent.hash}, which is not known to be mined yet. Send the same request again, with the same Idempotency-Key, to wait for it; without a key that would deploy another one.`;
    throw new AppError('internal', 'NotMinedYet', message);
  }
  const { contractAddress, transactionHash: hash } = receipt;
  if (receipt.status !== 'success' || !contractAddress) {
    const message = `The transaction ${hash} was mined, but deployed nothing. Its gas is spent. Send the request again with another Idempotency-Key.`;
    throw new AppError('internal', 'DeploymentFailed', message);
  }
  const mediaUrl = await afterCommit(() => selectTokenMedia(db, sent.id));
  return { address: contractAddress.toLowerCase() as Address, mediaUrl };
};
