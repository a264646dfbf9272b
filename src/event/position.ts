import type { SocialEvent } from '../protocol/event/social-event.js';

/** A place in the event log: after this event and all before it. */
export interface Position {
  /** Id of a row of the log. */
  readonly logId: number;
  /** The event among those of the row; infinite: after all of them. */
  readonly part: number;
}

const EVENT_ID = /^(\d{1,15})(?:-(\d{1,9}))?$/;

/** @returns the place after a whole row; 0: the beginning */
export const afterRow = (logId: number): Position => ({ logId, part: Number.POSITIVE_INFINITY });

/** @returns the last row of which a reader at the position has all events: of the row of its last event it may have some */
export const wholeRow = ({ logId, part }: Position): number => (Number.isFinite(part) ? logId - 1 : logId);

/** @returns the id of an event for clients: `4711-0` */
export const eventId = ({ logId, part }: Pick<SocialEvent, 'logId' | 'part'>): string => `${logId}-${part}`;

/** @returns a place as clients get it and send it back: the id of an event, or `4711` for the end of a row */
export const printPosition = ({ logId, part }: Position): string =>
  Number.isFinite(part) ? eventId({ logId, part }) : String(logId);

/** @returns undefined for text that is no event id */
export const parsePosition = (text: string): Position | undefined => {
  const [, row, part] = EVENT_ID.exec(text) ?? [];
  if (row === undefined) return undefined;
  return part === undefined ? afterRow(Number(row)) : { logId: Number(row), part: Number(part) };
};

export const isAfter = (event: Pick<SocialEvent, 'logId' | 'part'>, { logId, part }: Position): boolean =>
  event.logId > logId || (event.logId === logId && event.part > part);
