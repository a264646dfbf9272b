import { signal } from '@preact/signals';
import { forgetActor } from './actor.js';
import { BASE } from './base.js';
import { get, onUnauthorized, ServiceError, write } from './client.js';
import { queryClient } from './query.js';
import { forgetRecorded } from './recorded.js';
import type { components } from './schema.js';
import { SESSION } from './session-path.js';

export type Session = components['schemas']['ConsoleSession'];

/** undefined: not known yet; null: nobody is signed in. */
export const session = signal<Session | null | undefined>(undefined);

/** Where the tab keeps whose data it has: the id of the key, across reloads. */
const OWNER = 'castellan.owner';

/** Sets who is signed in. What was read or chosen with another key is forgotten, so that no page shows it to this one. */
const setSession = (next: Session | null): void => {
  if (next === null || next.key_uuid !== sessionStorage.getItem(OWNER)) {
    queryClient.clear();
    forgetRecorded();
    forgetActor();
  }
  if (next === null) sessionStorage.removeItem(OWNER);
  else sessionStorage.setItem(OWNER, next.key_uuid);
  session.value = next;
};

/** @returns who is signed in. @throws ServiceError if the service cannot say it */
const fetchSession = async (): Promise<Session | null> => {
  try {
    return (await get(SESSION)).session;
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status !== 401) throw error;
    return null;
  }
};

/** @throws ServiceError if the service cannot be reached */
export const readSession = async (): Promise<void> => setSession(await fetchSession());

/** The tabs of a browser share its cookie: when one signs in or out, the session of all is another one. */
const tabs = new BroadcastChannel(`castellan.session ${BASE}`);
tabs.onmessage = () => void readSession().catch(() => undefined);
const tellTabs = (): void => tabs.postMessage(undefined);

/** @throws ServiceError in the words of the service */
export const signIn = async (by: { readonly api_key: string } | { readonly link: string }): Promise<void> => {
  setSession((await write('post', SESSION, by)).session);
  tellTabs();
};

/** @throws ServiceError if the service could not end the session */
export const signOut = async (): Promise<void> => {
  await write('delete', SESSION);
  setSession(null);
  tellTabs();
};

let isChecking = false;

/** A refused request may have been of a session that has ended, or only lack a scope. The service says which. */
const checkSession = async (): Promise<void> => {
  const asked = session.value;
  if (isChecking || !asked) return;
  isChecking = true;
  try {
    const isOver = (await fetchSession()) === null;
    if (isOver && session.value === asked) setSession(null);
  } catch {
    // Nobody knows, so the pages stay, and the next refused request asks again.
  } finally {
    isChecking = false;
  }
};
onUnauthorized(() => void checkSession());

/** @returns whether the key of the session may do this */
export const may = (scope: Session['scopes'][number]): boolean => session.value?.scopes.includes(scope) ?? false;
