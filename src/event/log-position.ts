import type { Reader } from '../db/statement.js';
import { AppError, invalidField } from '../error.js';
import { type LogStart, selectLogStart } from '../store/event/log-start.js';
import { selectEventIdSince, selectEventLogBounds } from '../store/hub/event.js';
import { afterRow, type Position, parsePosition, wholeRow } from './position.js';

const isTime = (text: string): boolean => /^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(Date.parse(text));

const gone = (property: string, { logId, at }: LogStart): AppError => {
  const time = at === null ? '' : ` (${at.toISOString()})`;
  const message = `What ${property} asks for was deleted, because it is old: the events after ${logId}${time} are kept.`;
  return new AppError('gone', 'Gone', message, { property });
};

/** @returns the place before everything at or after a time. @throws AppError `gone` */
export const findTime = async (db: Reader, time: Date, property: string): Promise<Position> => {
  const start = await selectLogStart(db);
  if (start.at !== null && time <= start.at) throw gone(property, start);
  const id = await selectEventIdSince(db, time);
  return id === undefined ? findEnd(db) : afterRow(id - 1);
};

/** @throws AppError `gone` if events after the place were deleted; `invalid` if it is after the newest event */
const requireKept = async (db: Reader, position: Position, property: string): Promise<Position> => {
  const start = await selectLogStart(db);
  if (wholeRow(position) < start.logId) throw gone(property, start);
  const { logId: newest } = await findEnd(db);
  if (position.logId <= newest) return position;
  throw invalidField(property, `${property} is after ${newest}, the newest event: this log has no such event yet.`);
};

/**
 * @param id of an event
 * @returns the place before everything of its row. @throws AppError `gone`, `invalid` for other text
 */
export const findBefore = (db: Reader, id: string, property: string): Promise<Position> => {
  const event = parsePosition(id);
  if (event === undefined) throw invalidField(property, `${property} must be the id of an event, such as 4711-0.`);
  return requireKept(db, afterRow(event.logId - 1), property);
};

/**
 * Finds the place in the event log from which a client wants to go on.
 * @param since the id of the last event that it has, the time (ISO 8601) from which it wants events, or `0` for everything
 *   that is kept
 * @param property of the request, for errors
 * @throws AppError `gone` if events after that place were deleted because they are old; `invalid` for other text, and for
 *   an id that is not in the log yet
 */
export const findPosition = async (db: Reader, since: string, property: string): Promise<Position> => {
  if (since === '0') return afterRow((await selectLogStart(db)).logId);
  if (isTime(since)) return findTime(db, new Date(since), property);
  const event = parsePosition(since);
  if (event !== undefined) return requireKept(db, event, property);
  const message = `${property} must be the id of an event, such as 4711-0, a time, such as 2026-01-31T12:00:00Z, or 0 for everything that is kept.`;
  throw invalidField(property, message);
};

/** @returns the place after everything that has happened so far */
export const findEnd = async (db: Reader): Promise<Position> => {
  const { newest } = await selectEventLogBounds(db);
  return afterRow(newest === 0 ? (await selectLogStart(db)).logId : newest);
};
