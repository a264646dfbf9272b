import type { FastifyRequest } from 'fastify';
import { KEYLESS_CALLER } from '../access/caller.js';
import { consoleTokenOf } from '../access/console-session.js';
import type { Database } from '../db/database.js';
import { MINUTE_MS } from '../duration.js';
import type { AppError } from '../error.js';
import { insertRequests, type RequestEntry, type RequestMinute } from '../store/access/request-log.js';
import { COMPUTE_UNITS } from './cost/metering.js';
import type { LoggedOperation, RequestLog } from './http/service.js';
import { maskedAddress } from './masked-address.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The error of the response; null where it has none. */
    failure: AppError | null;
  }
}

const FLUSH_MS = 1000;
/** Rows that a process writes at once, of all organizations and of one; further requests are counted only. */
const MAX_ROWS = 500;
const MAX_ROWS_OF_ONE = 250;
/** Organizations that a process counts for between two writes; requests of further ones are not counted. */
const MAX_COUNTED = 10_000;
/** Characters of a message of an error. */
const MAX_MESSAGE = 500;
const FAILED = 400;

/** Text that PostgreSQL can store. */
const storable = (text: string, length: number): string => text.replaceAll('\0', '').slice(0, length);

/** Counts of an organization since the last write. */
type Count = { -readonly [Member in keyof RequestMinute]: RequestMinute[Member] } & { rows: number };

/**
 * The console reads again every few seconds how the service is, and would fill the log with that. Only what succeeds, is
 * free and changes nothing is left out.
 */
const isReadOfConsole = (
  { tags = [] }: LoggedOperation,
  { method, headers }: FastifyRequest,
  status: number,
): boolean =>
  method === 'GET' &&
  status < FAILED &&
  tags.some((tag) => tag === 'portal' || tag === 'operator') &&
  consoleTokenOf(headers) !== undefined;

interface RequestLogDependencies {
  readonly db: Database;
  /** Unix milliseconds. */
  readonly clock: () => number;
  /** Milliseconds between two writes; a second unless given. */
  readonly flushMs?: number | undefined;
  /** Called with errors of writes. What was to be written is lost: the log is a help, not a record. */
  failed(error: unknown): void;
}

/** @returns the request log of one process; its memory is bounded */
export const createRequestLog = ({ db, clock, flushMs = FLUSH_MS, failed }: RequestLogDependencies): RequestLog => {
  let rows: RequestEntry[] = [];
  /** Of the running minute, by organization. */
  let counts = new Map<string, Count>();
  /** Of minutes that ended since the last write. */
  let ended: Count[] = [];
  let minute = 0;
  let timer: NodeJS.Timeout | undefined;
  let isFailing = false;
  let writing: Promise<void> | undefined;

  const countOf = (organizationId: string, now: number): Count | undefined => {
    const start = now - (now % MINUTE_MS);
    if (start !== minute) {
      ended = [...ended, ...counts.values()].slice(0, MAX_COUNTED);
      counts = new Map();
      minute = start;
    }
    const known = counts.get(organizationId);
    if (known !== undefined || counts.size >= MAX_COUNTED) return known;
    const made = { organizationId, minute: new Date(start), requests: 0, failed: 0, unlisted: 0, rows: 0 };
    counts.set(organizationId, made);
    return made;
  };
  const write = async (): Promise<void> => {
    const counted = [...ended, ...counts.values()];
    if (counted.length === 0) return;
    const taken = rows;
    rows = [];
    ended = [];
    counts = new Map();
    try {
      await db.transaction((session) => insertRequests(session, taken, counted));
      isFailing = false;
    } catch (error) {
      // Reported once for an outage.
      if (!isFailing) failed(error);
      isFailing = true;
    }
  };
  const flush = (): Promise<void> => {
    // One write at a time: while the database is slow, requests are counted only.
    writing ??= write().finally(() => {
      writing = undefined;
    });
    return writing;
  };
  return {
    add: (operation, request, reply, milliseconds) => {
      const { caller } = request;
      // Requests without a key belong to nobody who could look at them.
      if (caller === null || caller === KEYLESS_CALLER || operation.isUnlisted) return;
      const { organizationId, keyId } = caller;
      const now = clock();
      const status = reply.raw.statusCode;
      if (isReadOfConsole(operation, request, status)) return;
      const count = countOf(organizationId, now);
      if (count === undefined) return;
      count.requests += 1;
      if (status >= FAILED) count.failed += 1;
      if (rows.length >= MAX_ROWS || count.rows >= MAX_ROWS_OF_ONE) {
        count.unlisted += 1;
        return;
      }
      count.rows += 1;
      const { failure } = request;
      rows.push({
        requestId: request.id,
        organizationId,
        keyId,
        at: new Date(now - milliseconds),
        operation: operation.id,
        method: request.method,
        address: storable(maskedAddress(request.originalUrl, operation), Number.POSITIVE_INFINITY),
        status,
        units: Number(reply.getHeader(COMPUTE_UNITS) ?? 0),
        milliseconds,
        error: {
          code: failure?.code ?? '',
          message: storable(failure?.message ?? '', MAX_MESSAGE),
          property: storable(failure?.property ?? '', MAX_MESSAGE),
        },
      });
    },
    start: () => {
      timer = setInterval(() => void flush(), flushMs).unref();
    },
    stop: async () => {
      clearInterval(timer);
      await flush();
      // What came while the last write was under way.
      await flush();
    },
  };
};
