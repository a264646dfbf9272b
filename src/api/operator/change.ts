import type { Caller } from '../../access/caller.js';
import type { Actor } from '../../store/access/audit-log.js';

/**
 * @param request whose key makes the change
 * @returns who makes a change, and when: what the log of changes of an organization records of it
 */
export const changeOf = (
  { id: requestId, caller }: { readonly id: string; readonly caller: Pick<Caller, 'keyId'> },
  { clock }: { readonly clock: () => number },
): { readonly actor: Actor; readonly now: Date } => ({
  actor: { keyId: caller.keyId, requestId },
  now: new Date(clock()),
});
