import type { Session } from './database.js';
import { AddressRole } from './verification.js';

/** An account of a chain, and how far its transactions came. */
export interface MinedAccount {
  readonly walletId: string;
  /** 20 bytes. */
  readonly address: Buffer;
  /** One more than the highest nonce that was mined. */
  readonly next: number;
}

/** @returns the wallets of which something was mined on a chain. */
export const selectMinedAccounts = (session: Session, chainId: number): Promise<MinedAccount[]> =>
  session.select<MinedAccount>(
    `select t.wallet_id as "walletId", w.address, max(t.nonce) + 1 as next
       from chain_transaction t join wallet w on w.id = t.wallet_id
      where t.chain_id = $1 and t.state = 'mined'
      group by t.wallet_id, w.address
      order by t.wallet_id`,
    [chainId],
  );

/** @returns verified Ethereum addresses of the first accounts, 20 bytes each. */
export const selectVerifiedAddresses = async (session: Session, limit: number): Promise<Buffer[]> =>
  (
    await session.select<{ address: Buffer }>(
      `select address from address_owner where role = $1 and length(address) = 20 order by fid, address limit $2`,
      [AddressRole.verified, limit],
    )
  ).map(({ address }) => address);
