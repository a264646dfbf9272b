import { type Address, bytesToHex, isAddressEqual, keccak256, recoverAddress, stringToBytes } from 'viem';
import type { Database } from '../db/database.js';
import type { Ingest } from '../ingest/pipeline/pipeline.js';
import { signHash } from '../onchain/registry/hash-signature.js';
import { createKeyedMutex } from '../onchain/transaction/keyed-mutex.js';
import { addressOfKey } from '../onchain/transaction/wallet-key.js';
import { isFname } from '../protocol/check/username.js';
import { selectCustodyAddresses } from '../store/protocol/account.js';
import { type NameProof, selectNameOfAccount, selectNameProof } from '../store/registry/fname.js';
import { nameClaimHash } from './name-claim.js';
import { type NameRegistry, type NameTransfer, type NameTransferRequest, proofOf } from './registry.js';

/** Why the registry rejects a transfer, in the words of the public one. */
export type NameErrorCode =
  | 'USERNAME_TAKEN'
  | 'TOO_MANY_NAMES'
  | 'UNAUTHORIZED'
  | 'USERNAME_NOT_FOUND'
  | 'INVALID_SIGNATURE'
  | 'INVALID_USERNAME'
  | 'INVALID_FID_OWNER'
  | 'INVALID_TIMESTAMP';

export class NameRegistryError extends Error {
  constructor(readonly code: NameErrorCode) {
    super(code);
  }
}

/** The name registry of a local network: names are the store's, and its key is public knowledge. */
export interface LocalNameRegistry extends NameRegistry {
  /** @returns the latest transfer of the account's name; undefined without one */
  currentOf(fid: number): Promise<NameTransfer | undefined>;
  /** Address of the key that signs proofs. */
  readonly signer: Address;
}

const TOLERANCE_S = 600;

const developmentKey = (): Uint8Array => keccak256(stringToBytes('castellan development name registry'), 'bytes');

const transferOf = ({ name, fid, owner, timestamp, signature }: NameProof): NameTransfer => ({
  name,
  // The store has the latest proof only, which does not say who had the name before.
  from: 0,
  to: fid,
  owner: bytesToHex(owner),
  timestamp,
  serverSignature: bytesToHex(signature),
});

/** The account that must sign: who gets the name, or who releases it. */
const signingFid = ({ from, to, fid }: NameTransferRequest): number => {
  const signing = from === 0 ? to : from;
  if ((from !== 0 && to !== 0) || signing === 0 || fid !== signing) throw new NameRegistryError('UNAUTHORIZED');
  return signing;
};

/** @param deps `clock` in Unix milliseconds */
export const createLocalNameRegistry = (deps: {
  readonly db: Database;
  readonly ingest: Pick<Ingest, 'submit'>;
  readonly clock: () => number;
}): LocalNameRegistry => {
  const { db, ingest, clock } = deps;
  const runExclusively = createKeyedMutex();

  const requireOwner = async (request: NameTransferRequest): Promise<void> => {
    const [row] = await selectCustodyAddresses(db, [signingFid(request)]);
    if (!row || !isAddressEqual(bytesToHex(row.custodyAddress), request.owner)) {
      throw new NameRegistryError('INVALID_FID_OWNER');
    }
    const { name, timestamp, owner, signature } = request;
    const signer = await recoverAddress({ hash: nameClaimHash({ name, timestamp, owner }), signature }).catch(
      () => undefined,
    );
    if (!signer || !isAddressEqual(signer, owner)) throw new NameRegistryError('INVALID_SIGNATURE');
    if (Math.abs(timestamp - clock() / 1000) > TOLERANCE_S) throw new NameRegistryError('INVALID_TIMESTAMP');
  };

  const store = async ({ name, from, to, owner, timestamp }: NameTransferRequest): Promise<NameTransfer> => {
    const serverSignature = signHash(developmentKey(), nameClaimHash({ name, timestamp, owner }));
    const transfer: NameTransfer = { name, from, to, owner, timestamp, serverSignature };
    await ingest.submit([{ kind: 'proof', proof: proofOf(transfer) }], { source: 'local', announce: true });
    return transfer;
  };

  const current = async (name: string): Promise<NameTransfer | undefined> => {
    const proof = await selectNameProof(db, name);
    return proof && proof.fid !== 0 ? transferOf(proof) : undefined;
  };

  const transfer = async (request: NameTransferRequest): Promise<NameTransfer> => {
    const { name, from, to } = request;
    if (!isFname(name)) throw new NameRegistryError('INVALID_USERNAME');
    await requireOwner(request);
    const held = await current(name);
    if (from !== 0 && held?.to !== from) throw new NameRegistryError('USERNAME_NOT_FOUND');
    // Of two proofs of one second, the signature would decide which is the later one.
    if (from !== 0 && held !== undefined && held.timestamp >= request.timestamp) {
      throw new NameRegistryError('INVALID_TIMESTAMP');
    }
    if (from === 0 && held !== undefined) {
      if (held.to === to) return held;
      throw new NameRegistryError('USERNAME_TAKEN');
    }
    if (to !== 0 && (await selectNameOfAccount(db, to)) !== undefined) throw new NameRegistryError('TOO_MANY_NAMES');
    return store(request);
  };

  return {
    signer: addressOfKey(developmentKey()),
    current,
    currentOf: async (fid) => {
      const name = await selectNameOfAccount(db, fid);
      return name === undefined ? undefined : current(name);
    },
    // One at a time, so that two requests cannot get one name, or two names for one account.
    transfer: (request) => runExclusively('names', () => transfer(request)),
  };
};
