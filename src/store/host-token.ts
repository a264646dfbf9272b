import { type Database, type Session, statement } from './database.js';

/** A user of a host app, and a mini app's domain. */
export interface HostPair {
  readonly appId: string;
  readonly fid: number;
  readonly domain: string;
}

/** Keeps the hash of a token that works once an event that carries it was delivered, and ends at `lapsesAt` if none is sent. */
export const insertHostToken = async (
  session: Session,
  token: HostPair & { readonly hash: Uint8Array; readonly mintedAt: Date; readonly lapsesAt: Date | null },
): Promise<void> => {
  await session.run(
    'insert into host_token (hash, app_id, fid, domain, minted_at, lapses_at) values ($1, $2, $3, $4, $5, $6)',
    [token.hash, token.appId, token.fid, token.domain, token.mintedAt, token.lapsesAt],
  );
};

/** Takes a token for an event. @returns whether it was minted for this user and domain, did not lapse and is not in use. */
export const takeHostToken = async (
  session: Session,
  { appId, fid, domain }: HostPair,
  hash: Uint8Array,
  now: Date,
): Promise<boolean> => {
  const rows = await session.run(
    `update host_token set lapses_at = null
      where hash = $1 and app_id = $2 and fid = $3 and domain = $4 and live_at is null and lapses_at > $5
      returning fid`,
    [hash, appId, fid, domain, now],
  );
  return rows.length > 0;
};

/**
 * Stops all that may notify this user for a domain, or would once the event that carries them is delivered; a token that
 * no event has taken yet is for the next switching on. The rows stay until the mini app was told.
 */
export const closeHostTokens = async (session: Session, { appId, fid, domain }: HostPair, now: Date): Promise<void> => {
  await session.run(
    `update host_token set closed_at = $4
      where app_id = $1 and fid = $2 and domain = $3 and closed_at is null
        and (live_at is not null or lapses_at is null)`,
    [appId, fid, domain, now],
  );
};

/**
 * Makes the token work from now on; those before it end, since a mini app has one for each user. One that was stopped
 * meanwhile stays so.
 */
export const enliveHostToken = async (
  session: Session,
  { appId, fid, domain }: HostPair,
  hash: Uint8Array,
  now: Date,
): Promise<void> => {
  await session.run(
    'delete from host_token where app_id = $1 and fid = $2 and domain = $3 and live_at is not null and hash <> $4',
    [appId, fid, domain, hash],
  );
  await session.run('update host_token set live_at = $2 where hash = $1', [hash, now]);
};

/** Ends all tokens that work, or worked, for this user and domain. */
export const deleteLiveHostTokens = async (session: Session, { appId, fid, domain }: HostPair): Promise<void> => {
  await session.run('delete from host_token where app_id = $1 and fid = $2 and domain = $3 and live_at is not null', [
    appId,
    fid,
    domain,
  ]);
};

export const deleteHostToken = async (session: Session, hash: Uint8Array): Promise<void> => {
  await session.run('delete from host_token where hash = $1', [hash]);
};

/** Forgets tokens that no event took in time. */
export const deleteLapsedHostTokens = async (session: Session, now: Date): Promise<void> => {
  await session.run('delete from host_token where lapses_at <= $1', [now]);
};

export interface EnabledDomainRow {
  readonly domain: string;
  readonly since: Date;
}

const enabledDomains = statement<EnabledDomainRow>(
  'host_token_enabled',
  `select domain, max(live_at) as since from host_token
    where app_id = $1 and fid = $2 and live_at is not null
    group by domain order by max(live_at) desc, domain`,
);

/** @returns the domains that may notify a user of a host app, as of the last events delivered, newest first. */
export const selectEnabledDomains = (db: Database, appId: string, fid: number): Promise<EnabledDomainRow[]> =>
  db.read(enabledDomains, [appId, fid]);
