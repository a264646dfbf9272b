import { type FarcasterNetwork, OnChainEvent, OnChainEventType } from '@farcaster/core';
import type { Session } from '../../db/statement.js';
import { activeUnits, type StorageUnits } from '../../protocol/storage-limit.js';
import { selectOnchainEvents } from '../../store/protocol/onchain-event.js';
import { selectLendingMessages } from '../../store/protocol/storage.js';
import { decodedOf } from '../stored-message.js';

/** Storage of an account, in units by type. */
export interface Storage {
  /** Rented units, including lent ones. */
  readonly rented: StorageUnits;
  /** Rented units without lent ones, which the account can still lend. */
  readonly lendable: StorageUnits;
  /** Units that its messages can use: rented, without lent, with borrowed ones. */
  readonly fillable: StorageUnits;
}

/** @param now Unix milliseconds */
export const selectStorage = async (
  session: Session,
  fids: readonly number[],
  network: FarcasterNetwork,
  now: number,
): Promise<Map<number, Storage>> => {
  if (fids.length === 0) return new Map();
  const rents = await selectOnchainEvents(session, [OnChainEventType.EVENT_TYPE_STORAGE_RENT], fids);
  const loans = (await selectLendingMessages(session, fids)).flatMap((row) => {
    const body = decodedOf(row).data.lendStorageBody;
    return body ? [{ from: row.fid, body }] : [];
  });
  return new Map(
    fids.map((fid) => {
      const events = rents.filter((event) => event.fid === fid).map((event) => OnChainEvent.decode(event.body));
      const lent = loans.filter((loan) => loan.from === fid).map((loan) => loan.body);
      const borrowed = loans.filter((loan) => loan.body.toFid === fid).map((loan) => loan.body);
      const storage: Storage = {
        rented: activeUnits({ events }, network, now),
        lendable: activeUnits({ events, lent }, network, now),
        fillable: activeUnits({ events, lent, borrowed }, network, now),
      };
      return [fid, storage];
    }),
  );
};
