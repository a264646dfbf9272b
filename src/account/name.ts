import type { Address } from 'viem';
import type { Database } from '../db/database.js';
import { AppError } from '../error.js';
import { nameClaimHash } from '../fname/name-claim.js';
import type { NameRegistry } from '../fname/registry.js';
import { proofOf } from '../fname/registry.js';
import type { Ingest } from '../ingest/pipeline/pipeline.js';
import { signHash } from '../onchain/registry/hash-signature.js';
import { selectNameOfAccount } from '../store/registry/fname.js';

export interface NameDependencies {
  readonly db: Database;
  readonly ingest: Pick<Ingest, 'submit'>;
  /** Undefined: no name registry is configured. */
  readonly names: NameRegistry | undefined;
  /** Unix milliseconds. */
  readonly clock: () => number;
}

/** A reserved account that signs for its names. */
export interface NameOwner {
  readonly fid: number;
  readonly custody: Address;
  /** 32 bytes. */
  readonly key: Uint8Array;
}

/** @throws AppError not_implemented */
const requireRegistry = ({ names }: NameDependencies): NameRegistry => {
  if (names) return names;
  const message =
    'Names are registered at a name registry, which is not configured here: the operator has to set CASTELLAN_FNAME_REGISTRY_URL.';
  throw new AppError('not_implemented', 'NotImplemented', message, { property: 'fname' });
};

const taken = (name: string): AppError =>
  new AppError('conflict', 'NameTaken', `The name ${name} is taken. Choose another one.`, { property: 'fname' });

/** @throws AppError conflict if the name belongs to another account, and errors of the registry */
export const requireFreeName = async (deps: NameDependencies, name: string, fid: number): Promise<void> => {
  const current = await requireRegistry(deps).current(name);
  if (current !== undefined && current.to !== 0 && current.to !== fid) throw taken(name);
};

const transfer = async (
  deps: NameDependencies,
  owner: NameOwner,
  change: { readonly name: string; readonly from: number; readonly to: number },
): Promise<void> => {
  const timestamp = Math.floor(deps.clock() / 1000);
  const claim = { name: change.name, timestamp, owner: owner.custody };
  const signature = signHash(owner.key, nameClaimHash(claim));
  const made = await requireRegistry(deps).transfer({ ...change, ...claim, fid: owner.fid, signature });
  await deps.ingest.submit([{ kind: 'proof', proof: proofOf(made) }], { source: 'local', announce: true });
};

/**
 * Makes the account have this name and no other one: an earlier registration of the account may have failed after it
 * got a name. Repeating it changes nothing.
 * @param name undefined: none
 * @throws AppError conflict if the name is taken, and errors of the registry
 */
export const claimName = async (deps: NameDependencies, owner: NameOwner, name: string | undefined): Promise<void> => {
  const before = await selectNameOfAccount(deps.db, owner.fid);
  if (before !== undefined && before !== name) await transfer(deps, owner, { name: before, from: owner.fid, to: 0 });
  if (name === undefined) return;
  const current = await requireRegistry(deps).current(name);
  if (current === undefined || current.to === 0) return transfer(deps, owner, { name, from: 0, to: owner.fid });
  if (current.to !== owner.fid) throw taken(name);
  // A process that was killed may have registered it without storing the proof.
  await deps.ingest.submit([{ kind: 'proof', proof: proofOf(current) }], { source: 'local', announce: true });
};
