import { equalBytes } from '../../bytes.js';
import type { StoreConfig } from '../../config/config.js';
import type { Database } from '../../db/database.js';
import { AppError, notFound } from '../../error.js';
import { type Author, author, SAMPLE_SEED } from '../../sample/author.js';
import { selectCustodyAddresses } from '../../store/protocol/account.js';
import { selectFidsByUsername } from '../../store/query/account.js';

/**
 * @throws AppError 'conflict' outside the local network, where a key of the sample could be mistaken for a real one
 */
export const requireLocalNetwork = ({ hub, hubNetwork }: Pick<StoreConfig, 'hub' | 'hubNetwork'>): void => {
  if (!hub && hubNetwork === 'devnet') return;
  const [reason, advice] = hub
    ? [`CASTELLAN_HUB_URL is set (${hub.address})`, 'leave it out']
    : [`CASTELLAN_HUB_NETWORK is ${hubNetwork}`, 'set it to devnet'];
  const message = `${reason}, so accounts are real ones and sign with their own wallets. This command plays accounts of the sample network: ${advice} to use it.`;
  throw new AppError('conflict', 'NotLocal', message);
};

/** @returns the accounts with all their keys, as far as they belong to the sample network of the store */
export const findSampleAuthors = async (db: Database, fids: readonly number[]): Promise<Map<number, Author>> => {
  const found = new Map<number, Author>();
  for (const { fid, custodyAddress } of await selectCustodyAddresses(db, fids)) {
    const one = author({ seed: SAMPLE_SEED, fid });
    if (equalBytes(one.custody.address, custodyAddress)) found.set(fid, one);
  }
  return found;
};

/** @returns the account with all its keys, if the fid belongs to the sample network of the store */
export const findSampleAuthor = async (db: Database, fid: number): Promise<Author | undefined> =>
  (await findSampleAuthors(db, [fid])).get(fid);

const fidOf = async (db: Database, account: string): Promise<number> => {
  if (/^\d+$/.test(account)) return Number(account);
  const name = account.replace(/^@/, '').toLowerCase();
  const fid = (await selectFidsByUsername(db, [name])).get(name);
  if (fid !== undefined) return fid;
  throw notFound(`Nobody here has the username ${name}: \`castellan account list\` shows some.`);
};

/**
 * @param account a fid, or a username with or without `@`
 * @throws AppError 'not_found' for an account outside the sample network, whose keys are unknown
 */
export const requireSampleAuthor = async (db: Database, account: string): Promise<Author> => {
  const fid = await fidOf(db, account);
  const found = await findSampleAuthor(db, fid);
  if (found) return found;
  throw notFound(
    `The keys of account ${fid} are not known here: only those of the sample network are, which \`castellan account list\` shows.`,
  );
};
