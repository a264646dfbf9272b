import { execute, type Session, sql } from '../../db/statement.js';

/** The recipient and quantity of a mint. */
export interface MintRow {
  readonly transactionId: string;
  /** 20 bytes each. */
  readonly contract: Uint8Array;
  readonly recipient: Uint8Array;
  readonly fid: number | null;
  readonly quantity: number;
}

const insertMintsSql = sql(
  'insert_mints',
  `insert into mint (transaction_id, contract, recipient, fid, quantity)
    select * from unnest($1::uuid[], $2::bytea[], $3::bytea[], $4::bigint[], $5::bigint[])`,
);

export const insertMints = (session: Session, mints: readonly MintRow[]): Promise<void> =>
  execute(session, insertMintsSql, [
    mints.map(({ transactionId }) => transactionId),
    mints.map(({ contract }) => contract),
    mints.map(({ recipient }) => recipient),
    mints.map(({ fid }) => fid),
    mints.map(({ quantity }) => quantity),
  ]);

const selectMintsSql = sql<MintRow & { readonly recipient: Buffer }>(
  'select_mints',
  `select transaction_id as "transactionId", contract, recipient, fid, quantity
    from mint where transaction_id = any($1::uuid[])`,
);

/** @returns the mints of these transactions, by their ids. */
export const selectMints = async (
  session: Session,
  transactionIds: readonly string[],
): Promise<Map<string, MintRow & { readonly recipient: Buffer }>> => {
  const rows = await session.select(selectMintsSql, [transactionIds]);
  return new Map(rows.map((row) => [row.transactionId, row]));
};
