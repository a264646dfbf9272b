import { signal } from '@preact/signals';
import { get, onSignedOut, ServiceError, write } from './client.js';
import type { components } from './schema.js';

export type Session = components['schemas']['ConsoleSession'];

/** undefined: not known yet; null: nobody is signed in. */
export const session = signal<Session | null | undefined>(undefined);

onSignedOut(() => {
  session.value = null;
});

/** @throws ServiceError if the service cannot be reached */
export const readSession = async (): Promise<void> => {
  try {
    session.value = (await get('/portal/session')).session;
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status !== 401) throw error;
    session.value = null;
  }
};

/** @throws ServiceError in the words of the service */
export const signIn = async (by: { readonly api_key: string } | { readonly link: string }): Promise<void> => {
  session.value = (await write('post', '/portal/session', by)).session;
};

export const signOut = async (): Promise<void> => {
  await write('delete', '/portal/session');
  session.value = null;
};

/** @returns whether the key of the session may do this */
export const may = (scope: Session['scopes'][number]): boolean => session.value?.scopes.includes(scope) ?? false;
