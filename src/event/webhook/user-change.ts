import type { SocialEvent, UserEvent } from '../../protocol/event/social-event.js';
import type { UserChange } from '../../store/event/cursor.js';

/** How long a changed profile waits for further changes: programs write each member of a profile as a message. */
export const USER_CHANGE_MS = 5_000;

/**
 * Takes the changes of profiles out of a page of the log.
 * @param groupMs a change that is later than this after the first one of its group begins a new group; without it, all
 *   changes of an account are one group
 * @returns the other events, and one change for each group of an account: its latest, with the time of its first
 */
export const takeUserChanges = (
  events: readonly SocialEvent[],
  groupMs = Number.POSITIVE_INFINITY,
): { readonly others: SocialEvent[]; readonly changes: UserChange[] } => {
  const others: SocialEvent[] = [];
  const ended: UserChange[] = [];
  const changes = new Map<number, UserChange>();
  for (const event of events) {
    const { type, fid, logId, part, at } = event;
    if (type !== 'user.updated') {
      others.push(event);
      continue;
    }
    const before = changes.get(fid);
    const isNew = before === undefined || at.getTime() - before.since.getTime() > groupMs;
    if (isNew && before !== undefined) ended.push(before);
    changes.set(fid, { fid, logId, part, at, since: isNew ? at : before.since });
  }
  return { others, changes: [...ended, ...changes.values()] };
};

/** @returns the event of a profile's changes: it has the time and the place in the log of the latest one */
export const userUpdated = ({ fid, logId, part, at }: UserChange): UserEvent => ({
  type: 'user.updated',
  fid,
  logId,
  part,
  at,
});
