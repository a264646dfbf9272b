import { signal } from '@preact/signals';
import { isOfSession } from './session-path.js';

/** A request that a page made, as the panel "How this page is made" shows it. */
export interface RecordedRequest {
  readonly method: string;
  /** Path and query, without the prefix of a proxy. */
  readonly path: string;
  /** Those of the operation. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly status: number;
  /** Milliseconds until the whole response was there. */
  readonly ms: number;
  /** Compute units; undefined for what is free. */
  readonly units: number | undefined;
  readonly requestId: string | undefined;
  readonly text: string;
}

/** The last response to each read, by path and query, and all writes since the page was opened. */
export const recorded = signal<ReadonlyMap<string, RecordedRequest>>(new Map());

/** Paths that the open page reads, in the order in which it asked. */
export const pagePaths = signal<readonly string[]>([]);

/** Counts what ends a record: a write is kept until the next page, a read until somebody else signs in. */
let [page, session] = [0, 0];

/**
 * Is called when a request is sent, so that a late response is not shown to another page or person.
 * @returns a function that records the response, except of requests that carry a credential
 */
export const startRecord = (): ((request: RecordedRequest) => void) => {
  const [sentFrom, sentBy] = [page, session];
  return (request) => {
    const { method, path } = request;
    const isRead = method === 'GET';
    if (isOfSession(path) || sentBy !== session || (!isRead && sentFrom !== page)) return;
    const key = isRead ? path : `${method} ${path}`;
    recorded.value = new Map(recorded.value).set(key, request);
    if (!isRead && !pagePaths.value.includes(key)) pagePaths.value = [...pagePaths.value, key];
  };
};

/** @returns a function that takes the path off the page again */
export const addToPage = (path: string): (() => void) => {
  pagePaths.value = [...pagePaths.value, path];
  return () => {
    const index = pagePaths.value.lastIndexOf(path);
    pagePaths.value = pagePaths.value.filter((_, n) => n !== index);
  };
};

const isReadKey = (key: string): boolean => key.startsWith('/');

/** A new page begins without the writes of the last one, whose responses may hold the secret of a new key. */
export const forgetWrites = (): void => {
  page += 1;
  pagePaths.value = pagePaths.value.filter(isReadKey);
  recorded.value = new Map([...recorded.value].filter(([key]) => isReadKey(key)));
};

/** The next person sees nothing of what this one asked. */
export const forgetRecorded = (): void => {
  session += 1;
  pagePaths.value = [];
  recorded.value = new Map();
};
