import { signal } from '@preact/signals';
import { write } from './client.js';
import { queryClient, readNow, refresh } from './query.js';
import type { components } from './schema.js';

export const SIGNERS = '/portal/signers';
/** The accounts that one list has. */
export const APPROVED = { status: 'approved', limit: 100 } as const;
const STORED = 'castellan.actor';

const readStored = (): number | undefined => {
  const fid = Number(sessionStorage.getItem(STORED));
  return Number.isInteger(fid) && fid > 0 ? fid : undefined;
};

/** The account in whose name the pages like, recast, follow and reply; undefined: nobody is chosen. */
export const actorFid = signal<number | undefined>(readStored());

/** Whether the menu of accounts is open: a button that needs an account opens it. */
export const isActorMenuOpen = signal(false);

export const NOBODY_CHOSEN = 'Choose who acts first.';

/** Chooses an account until the tab of the browser is closed. */
export const setActor = (fid: number | undefined): void => {
  actorFid.value = fid;
  if (fid === undefined) sessionStorage.removeItem(STORED);
  else sessionStorage.setItem(STORED, String(fid));
};

/** The next person chooses anew. */
export const forgetActor = (): void => {
  setActor(undefined);
  isActorMenuOpen.value = false;
};

/** @returns the id of an approved signer of the account; undefined: the app has none. @throws ServiceError */
const findSigner = async (fid: number): Promise<string | undefined> =>
  (await readNow(SIGNERS, { status: 'approved', fid })).signers[0]?.signer_uuid;

/**
 * @returns the id of the signer of the chosen account
 * @throws Error in words for the page if nobody is chosen, or the account has no approved signer any more
 */
export const signerOfActor = async (): Promise<string> => {
  const fid = actorFid.value;
  if (fid === undefined) {
    isActorMenuOpen.value = true;
    throw new Error(NOBODY_CHOSEN);
  }
  const signer = await findSigner(fid);
  if (signer !== undefined) return signer;
  setActor(undefined);
  isActorMenuOpen.value = true;
  throw new Error(`Account ${fid} has no approved signer of this app any more. Choose another one.`);
};

/**
 * Chooses an account that has an approved signer. On the local network one is made, and the account approves it.
 * @throws ServiceError; Error in words for the page if there is no signer elsewhere
 */
export const actAs = async (fid: number, isLocal: boolean): Promise<void> => {
  if ((await findSigner(fid)) === undefined) {
    if (!isLocal) throw new Error(`Account ${fid} has approved no signer of this app.`);
    const { signer_uuid } = await write('post', '/v2/social/signer/');
    await write('post', '/portal/signer/approve', { signer_uuid, fid });
    await refresh(SIGNERS);
  }
  setActor(fid);
};

type Entity = Readonly<Record<string, unknown>>;

/** @returns the same data with each object replaced that `isMeant` finds; what has none stays the same object */
const replaceIn = (data: unknown, isMeant: (one: Entity) => boolean, change: (one: Entity) => Entity): unknown => {
  if (typeof data !== 'object' || data === null) return data;
  if (Array.isArray(data)) {
    const changed = data.map((one) => replaceIn(one, isMeant, change));
    return changed.some((one, n) => one !== data[n]) ? changed : data;
  }
  const entity = data as Entity;
  const members = Object.entries(entity).map(([name, value]) => [name, replaceIn(value, isMeant, change)] as const);
  const inner = members.some(([name, value]) => value !== entity[name]) ? Object.fromEntries(members) : entity;
  return isMeant(entity) ? change(inner) : inner;
};

/** Changes a cast or an account wherever the open page shows it, without reading again. */
const changeShown = (isMeant: (one: Entity) => boolean, change: (one: Entity) => Entity): void => {
  queryClient.setQueriesData({ type: 'active' }, (data: unknown) => replaceIn(data, isMeant, change));
};

type Cast = components['schemas']['Cast'];
type User = components['schemas']['User'];

/** @param change is given each cast with this hash that the open page shows */
export const changeCast = (hash: string, change: (cast: Cast) => Cast): void =>
  changeShown(
    (one) => one.hash === hash && 'reactions' in one,
    (one) => change(one as unknown as Cast) as unknown as Entity,
  );

/** @param change is given each account with this number that the open page shows */
export const changeUser = (fid: number, change: (user: User) => User): void =>
  changeShown(
    (one) => one.fid === fid && 'follower_count' in one,
    (one) => change(one as unknown as User) as unknown as Entity,
  );
