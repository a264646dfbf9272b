import type { Session } from '../../db/statement.js';
import { bareHex } from '../../hex.js';
import { type OwnerClaim, winningOwner } from '../../protocol/channel/owner.js';
import { selectOwnerClaims } from '../../store/channel/protocol-channel.js';
import type { ClaimStep } from './step.js';

/**
 * Who verified the addresses that own channels, at each point of a batch. A message is checked against the owner at that
 * point; the tables already contain the verifications of the whole batch, so the earlier state is reconstructed here.
 */
export class OwnerClaims {
  readonly #byAddress = new Map<string, Map<number, OwnerClaim>>();

  /**
   * @param addresses of all channels that the batch concerns
   * @param steps the batch's changes of verifications, in order
   * @returns the claims before the batch, whose verifications are stored already
   */
  static async beforeBatch(
    session: Session,
    addresses: readonly Uint8Array[],
    steps: readonly ClaimStep[],
  ): Promise<OwnerClaims> {
    const claims = new OwnerClaims();
    for (const address of addresses) claims.#byAddress.set(bareHex(address), new Map());
    const unique = [...claims.#byAddress.keys()].map((hex) => Buffer.from(hex, 'hex'));
    for (const { address, ...claim } of await selectOwnerClaims(session, unique))
      claims.#set(address, claim.fid, claim);
    for (const { address, fid, before } of steps.toReversed()) claims.#set(address, fid, before);
    return claims;
  }

  apply({ address, fid, after }: ClaimStep): void {
    this.#set(address, fid, after);
  }

  /** @param address of the channel's holder; null: no event contained it */
  ownerOf(address: Uint8Array | null): number | undefined {
    return address === null ? undefined : winningOwner(this.#byAddress.get(bareHex(address))?.values() ?? []);
  }

  #set(address: Uint8Array, fid: number, claim: OwnerClaim | undefined): void {
    const claims = this.#byAddress.get(bareHex(address));
    if (claim === undefined) claims?.delete(fid);
    else claims?.set(fid, claim);
  }
}
