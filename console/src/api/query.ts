import { QueryClient, useInfiniteQuery, useQuery } from '@tanstack/preact-query';
import { useEffect } from 'preact/hooks';
import { getUrl, type PathOf, type QueryOf, type ResponseOf, ServiceError, urlOf } from './client.js';
import { addToPage } from './recorded.js';

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // A service on this machine answers without a network, and one that is away must not look as it last did.
      networkMode: 'always',
      // What the service refused stays refused; a service that restarts answers soon.
      retry: (failures, error) =>
        failures < 3 && error instanceof ServiceError && (error.status === 0 || error.status >= 500),
      retryDelay: (failures) => Math.min(1_000 * 2 ** failures, 10_000),
    },
  },
});

/** Lists the requests in the panel of the page while a part of the page shows them. */
export const useOnPage = (url: string, isShown: boolean): void => {
  useEffect(() => (isShown ? addToPage(url) : undefined), [url, isShown]);
};

interface ReadOptions {
  /** Milliseconds between two reads. */
  readonly every?: number;
  /** False: it is of the frame, not of the page, so the panel does not list it. */
  readonly isListed?: boolean;
  /** False: nothing is read yet. */
  readonly enabled?: boolean;
}

const withoutViewer = (url: string): string => url.replace(/[?&]viewer_fid=\d+/, '');

/** @returns whether they differ in nothing but the account that looks: what one has shown stays until the other is there */
const isSameRead = (one: unknown, other: string): boolean => withoutViewer(String(one)) === withoutViewer(other);

/** Reads a path, and shows the last response while the next is under way. */
export const useApi = <P extends PathOf<'get'>>(
  path: P,
  query?: QueryOf<P, 'get'>,
  { every, enabled = true, isListed = true }: ReadOptions = {},
) => {
  const url = urlOf(path, query);
  useOnPage(url, enabled && isListed);
  return useQuery<ResponseOf<P, 'get'>, Error>({
    queryKey: [path, url],
    queryFn: () => getUrl<ResponseOf<P, 'get'>>(url),
    enabled,
    placeholderData: (last, query) => (isSameRead(query?.queryKey.at(-1), url) ? last : undefined),
    ...(every === undefined ? {} : { refetchInterval: every }),
  });
};

/** Reads a path once, or takes what was read in the last seconds. @throws ServiceError */
export const readNow = <P extends PathOf<'get'>>(path: P, query?: QueryOf<P, 'get'>): Promise<ResponseOf<P, 'get'>> => {
  const url = urlOf(path, query);
  return queryClient.fetchQuery({ queryKey: [path, url], queryFn: () => getUrl<ResponseOf<P, 'get'>>(url) });
};

/** Accounts that one request reads. */
const MOST_ACCOUNTS = 100;

/** @returns names and pictures of the first hundred of these accounts, by number */
export const usePeople = (fids: readonly number[]) => {
  const read = useApi('/v2/social/user/bulk/', { fids: fids.slice(0, MOST_ACCOUNTS).join(',') } as never, {
    enabled: fids.length > 0,
    isListed: false,
  });
  return new Map((read.data?.users ?? []).map((user) => [user.fid, user]));
};

/** Reads a list page by page. */
export const usePages = <P extends PathOf<'get'>>(path: P, query: QueryOf<P, 'get'>, enabled = true) => {
  const url = urlOf(path, query);
  useOnPage(url, enabled);
  return useInfiniteQuery({
    queryKey: [path, 'pages', url],
    queryFn: ({ pageParam }) =>
      getUrl<ResponseOf<P, 'get'>>(
        pageParam === undefined ? url : urlOf(path, { ...(query as object), cursor: pageParam }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => (last as { next?: { cursor?: string | null } }).next?.cursor ?? undefined,
    placeholderData: (last, query) => (isSameRead(query?.queryKey.at(-1), url) ? last : undefined),
    enabled,
  });
};

/** Reads again what begins with one of these paths. */
export const refresh = (...paths: readonly string[]): Promise<unknown> =>
  Promise.all(paths.map((path) => queryClient.invalidateQueries({ queryKey: [path] })));
