import type { Session } from './database.js';

/** What a transaction was to mint. */
export interface MintRow {
  readonly transactionId: string;
  /** 20 bytes each. */
  readonly contract: Uint8Array;
  readonly recipient: Uint8Array;
  readonly fid: number | null;
  readonly quantity: number;
}

export const insertMints = async (session: Session, mints: readonly MintRow[]): Promise<void> => {
  await session.run(
    `insert into mint (transaction_id, contract, recipient, fid, quantity)
     select * from unnest($1::uuid[], $2::bytea[], $3::bytea[], $4::bigint[], $5::bigint[])`,
    [
      mints.map(({ transactionId }) => transactionId),
      mints.map(({ contract }) => contract),
      mints.map(({ recipient }) => recipient),
      mints.map(({ fid }) => fid),
      mints.map(({ quantity }) => quantity),
    ],
  );
};

/** @returns what these transactions were to mint, by their ids. */
export const selectMints = async (
  session: Session,
  transactionIds: readonly string[],
): Promise<Map<string, MintRow & { readonly recipient: Buffer }>> => {
  const rows = await session.select<MintRow & { readonly recipient: Buffer }>(
    `select transaction_id as "transactionId", contract, recipient, fid, quantity
       from mint where transaction_id = any($1::uuid[])`,
    [transactionIds],
  );
  return new Map(rows.map((row) => [row.transactionId, row]));
};
