import type { Database } from '../../src/db/database.js';

/**
 * @returns every message that is in force in a database, with its exact bytes and the form in which they came, sorted; what
 *   a compact state of links excludes is not, which hubs delete. Without messages that prove names (set 7): no call of a hub
 *   lists them, so who follows it knows older ones by their proofs alone
 */
export const messagesInForce = async (db: Pick<Database, 'run'>): Promise<string[]> => {
  const rows = await db.run<{ message: string }>(
    `select concat_ws(' ', fid, message_set, type, encode(key, 'hex'), encode(hash, 'hex'), data_form, signature_scheme,
            encode(signer, 'hex'), encode(signature, 'hex'), encode(data, 'hex')) as message
       from message where not void and message_set <> 7`,
  );
  return rows.map(({ message }) => message).sort();
};

/** @returns the proof of every name, from the name registry or from a message, sorted */
export const provenNames = async (db: Pick<Database, 'run'>): Promise<string[]> => {
  const rows = await db.run<{ proof: string }>(
    `select concat_ws(' ', name, fid, type, "timestamp", encode(owner, 'hex'), encode(signature, 'hex')) as proof
       from username_proof`,
  );
  return rows.map(({ proof }) => proof).sort();
};

/** @returns what only the first has, and what only the second has */
export const differenceOf = (
  first: readonly string[],
  second: readonly string[],
): { first: string[]; second: string[] } => {
  const [inFirst, inSecond] = [new Set(first), new Set(second)];
  return { first: first.filter((one) => !inSecond.has(one)), second: second.filter((one) => !inFirst.has(one)) };
};
