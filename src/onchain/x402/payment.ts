import { randomBytes, randomUUID } from 'node:crypto';
import { type Address, type Hex, hexToBytes } from 'viem';
import { equalBytes } from '../../bytes.js';
import type { Session } from '../../db/statement.js';
import { AppError } from '../../error.js';
import { toHex } from '../../hex.js';
import {
  insertX402Authorization,
  lockWallet,
  selectX402Authorization,
  type X402AuthorizationRow,
} from '../../store/onchain/x402-authorization.js';
import type { IdempotencyRecord } from '../../write/idempotency-record.js';
import { signHash } from '../registry/hash-signature.js';
import { createKeyedMutex } from '../transaction/keyed-mutex.js';
import { type UsableWallet, withWalletKey } from '../transaction/wallet.js';
import { createAssetLookup, type PaymentNetwork } from './asset.js';
import { type Candidate, findCandidates, walletAssetOf } from './candidate.js';
import type { X402Dependencies } from './dependencies.js';
import { findLimit } from './limit.js';
import type { PaymentRequirement } from './requirement.js';
import { type Authorization, hashAuthorization } from './typed-data.js';

export interface PaymentRequest {
  readonly appId: string;
  readonly apiKeyId: string;
  readonly wallet: UsableWallet;
  /** At least one; the first that the wallet can pay is chosen. */
  readonly requirements: readonly PaymentRequirement[];
  readonly idempotencyRecord: IdempotencyRecord | undefined;
}

export interface SignedPayment {
  /** Position of the chosen requirement. */
  readonly index: number;
  readonly authorization: Authorization;
  /** 65 bytes; with it anybody can collect the payment. */
  readonly signature: Hex;
}

/** How long an authorization is valid before now, for clocks that are behind; clients of x402 version 1 use as much. */
const BACKDATE_SECONDS = 600;
const MAX_RESOURCE_LENGTH = 2048;

type Decision = SignedPayment | { readonly decided: Uint8Array };

const expired = (): AppError => {
  const message =
    'The payment that was authorized with this Idempotency-Key has expired. Send another key to authorize a new one.';
  return new AppError('invalid', 'Expired', message, { property: 'Idempotency-Key' });
};

const rowOf = (
  { appId, apiKeyId, wallet }: PaymentRequest,
  { offer, domain }: Candidate,
  id: string,
  now: number,
): X402AuthorizationRow => {
  const seconds = Math.floor(now / 1000);
  return {
    id,
    appId,
    apiKeyId,
    ...walletAssetOf(wallet, offer.asset),
    domainName: domain.name,
    domainVersion: domain.version,
    recipient: hexToBytes(offer.payTo),
    value: offer.value.toString(),
    validAfter: seconds - BACKDATE_SECONDS,
    validBefore: seconds + offer.timeoutSeconds,
    nonce: randomBytes(32),
    resource: offer.resource.slice(0, MAX_RESOURCE_LENGTH),
    requirement: offer.index,
    createdAt: new Date(now),
  };
};

const authorizationOf = (row: X402AuthorizationRow, { address }: UsableWallet): Authorization => ({
  from: address.toLowerCase() as Address,
  to: toHex(row.recipient),
  value: BigInt(row.value),
  validAfter: BigInt(row.validAfter),
  validBefore: BigInt(row.validBefore),
  nonce: toHex(row.nonce),
});

/** Signs payments of wallets. */
export const createPaymentSigner = (deps: X402Dependencies) => {
  const { db, masterKey, clock, settings } = deps;
  const assetOf = createAssetLookup(settings);
  const runExclusively = createKeyedMutex();

  /** Signatures are deterministic, so a row gives the same one again, and none has to be stored. */
  const sign = (session: Session, wallet: UsableWallet, row: X402AuthorizationRow): Promise<SignedPayment> => {
    const authorization = authorizationOf(row, wallet);
    const { domainName: name, domainVersion: version, network } = row;
    const domain = { name, version, network: network as PaymentNetwork, asset: toHex(row.asset) };
    const hash = hashAuthorization(domain, authorization);
    return withWalletKey(session, masterKey, wallet.id, (key) => ({
      index: row.requirement,
      authorization,
      signature: signHash(key, hash),
    }));
  };

  /** @param decided the id that an earlier request, or one at the same time, decided on */
  const repeat = async (decided: Uint8Array, wallet: UsableWallet): Promise<SignedPayment> => {
    const row = await selectX402Authorization(db, Buffer.from(decided).toString());
    if (!row || clock() >= row.validBefore * 1000) throw expired();
    return sign(db, wallet, row);
  };

  /** @throws AppError invalid if the sums of the wallet stand against all candidates: that of the first */
  const decide = async (
    session: Session,
    request: PaymentRequest,
    candidates: readonly Candidate[],
  ): Promise<Decision> => {
    const { wallet, idempotencyRecord } = request;
    await lockWallet(session, wallet.id);
    const id = randomUUID();
    const own = Buffer.from(id);
    const decided = (await idempotencyRecord?.storeDecision(own, session)) ?? own;
    if (!equalBytes(decided, own)) return { decided };
    const now = clock();
    let first: AppError | undefined;
    for (const candidate of candidates) {
      const limit = await findLimit(session, wallet, candidate, now);
      first ??= limit;
      if (limit) continue;
      const row = rowOf(request, candidate, id, now);
      await insertX402Authorization(session, row);
      return sign(session, wallet, row);
    }
    throw first;
  };

  return {
    /**
     * Authorizes one payment (EIP-3009). Its row is committed before the signature is returned. A repeated request with
     * the same idempotency record returns the same authorization and signature.
     * @throws AppError invalid if no requirement can be signed for, naming what is wrong with each; with code
     *   `DailyLimitReached` or `InsufficientFunds` if only the sums of the wallet stand against it; with property
     *   `Idempotency-Key` and code `Expired` if the authorization of an earlier request has expired; internal if a
     *   network does not respond
     */
    authorize: async (request: PaymentRequest): Promise<SignedPayment> => {
      const { wallet, requirements, idempotencyRecord } = request;
      const earlier = await idempotencyRecord?.loadDecision();
      if (earlier) return repeat(earlier, wallet);
      const candidates = await findCandidates(deps, { wallet, requirements, assetOf });
      const decision = await runExclusively(wallet.id, () =>
        db.transaction((session) => decide(session, request, candidates)),
      );
      return 'decided' in decision ? repeat(decision.decided, wallet) : decision;
    },
  };
};

export type PaymentSigner = ReturnType<typeof createPaymentSigner>;
