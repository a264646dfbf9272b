import { Protocol } from '@farcaster/core';
import type { Reader } from '../../db/statement.js';
import { readQuery } from '../query-function.js';
import { type Audience, visibleTo } from '../visibility.js';
import { accountExists } from './account-exists.js';
import { followMessage } from './follow.js';

/** Newest follows of the viewer that are read. */
const FOLLOWS = 2500;

/** An account with the addresses that may hold tokens for it. */
export interface AddressedAccount {
  readonly fid: number;
  /** Hex without 0x: the custody address and the verified Ethereum addresses, the oldest first, each once. */
  readonly addresses: readonly string[];
}

interface Row {
  readonly fid: number;
  readonly custody: string | null;
  readonly verifications: string | null;
}

const COLUMNS = `a.fid, encode(a.custody_address, 'hex') as custody, a.verifications`;
const HAS_ADDRESS = '(a.custody_address is not null or a.verifications is not null)';

const followedAccounts = readQuery(
  'token_owner_followed',
  `select ${COLUMNS}
     from (select l.target_fid as fid from message l
            where l.fid = :viewer and ${followMessage('l')}
            order by l.ts desc, l.hash desc limit ${FOLLOWS}) f
     join account a on a.fid = f.fid
    where ${accountExists('a')} and ${HAS_ADDRESS} and ${visibleTo('a.fid', ':viewer', ':appId')}
    order by a.score desc, a.fid limit :limit`,
).rows();

const scoredAccounts = readQuery(
  'token_owner_scored',
  `select ${COLUMNS} from account a
    where ${accountExists('a')} and ${HAS_ADDRESS}
      and not exists (select from ban where ban.fid = a.fid and ban.app_id = :appId::uuid offset 0)
    order by a.score desc, a.fid limit :limit`,
).rows();

const withAddresses = ({ fid, custody, verifications }: Row): AddressedAccount => {
  const verified = JSON.parse(verifications ?? '[]') as readonly (readonly [number, string])[];
  const ethereum = verified.flatMap(([protocol, address]) => (protocol === Protocol.ETHEREUM ? [address] : []));
  return { fid, addresses: [...new Set(custody === null ? ethereum : [custody, ...ethereum])] };
};

/**
 * Accounts that may own a token, the highest score first: those among the newest 2,500 that the viewer follows, or
 * without a viewer all accounts. Accounts hidden from the audience, and those without an address, are left out.
 */
export const selectPossibleOwners = async (
  db: Reader,
  { appId, viewer }: Audience,
  limit: number,
): Promise<AddressedAccount[]> => {
  const rows =
    viewer === null ? await scoredAccounts(db, { appId, limit }) : await followedAccounts(db, { viewer, appId, limit });
  return rows.map(withAddresses);
};
