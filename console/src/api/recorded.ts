import { signal } from '@preact/signals';

/** A request that a page made, as the panel "How this page is made" shows it. */
export interface RecordedRequest {
  readonly method: string;
  /** Path and query, without the prefix of a proxy. */
  readonly path: string;
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

export const record = (request: RecordedRequest): void => {
  const key = request.method === 'GET' ? request.path : `${request.method} ${request.path}`;
  recorded.value = new Map(recorded.value).set(key, request);
  if (request.method !== 'GET' && !pagePaths.value.includes(key)) pagePaths.value = [...pagePaths.value, key];
};

/** @returns a function that takes the path off the page again */
export const addToPage = (path: string): (() => void) => {
  pagePaths.value = [...pagePaths.value, path];
  return () => {
    const index = pagePaths.value.lastIndexOf(path);
    pagePaths.value = pagePaths.value.filter((_, n) => n !== index);
  };
};

/** A new page begins without the writes of the last one. */
export const forgetWrites = (): void => {
  pagePaths.value = pagePaths.value.filter((path) => path.startsWith('/'));
};
