/** A path under which installed programs call an operation, apart from the paths of the interface. */
export interface OtherName {
  readonly method: 'GET' | 'POST';
  /** Below `/v2/farcaster/`, without a trailing slash. */
  readonly path: string;
  /** Path of the operation, below the same prefix. */
  readonly operation: string;
  /** Who calls it. */
  readonly callers: string;
  /** Changes the names of parameters in place. */
  readonly rename?: (query: URLSearchParams) => void;
  /**
   * @param body of a successful response of the operation
   * @returns the body that these programs read; undefined: there is nothing of that name, so they get a 404
   */
  readonly convert?: (body: never) => object | undefined;
}

const renameTo =
  (from: string, to: string) =>
  (query: URLSearchParams): void => {
    for (const value of query.getAll(from)) query.append(to, value);
    query.delete(from);
  };

const HYPERSNAP = 'programs written for a Hypersnap node (its "Read API")';
const HYPERSNAP_AND_OLDER = `${HYPERSNAP}; programs that follow older guides of the vendor`;

/** All other names. Each answers with the keys, scopes, limits and costs of its operation. */
export const OTHER_NAMES: readonly OtherName[] = [
  {
    method: 'GET',
    path: 'user',
    operation: 'user/bulk/',
    callers: HYPERSNAP,
    rename: renameTo('fid', 'fids'),
    convert: ({ users: [user] }: { readonly users: readonly object[] }) => user && { user },
  },
  {
    method: 'GET',
    path: 'user/by-username',
    operation: 'user/by_username/',
    callers: HYPERSNAP_AND_OLDER,
  },
  {
    method: 'GET',
    path: 'cast/bulk',
    operation: 'casts/',
    callers: HYPERSNAP,
    rename: renameTo('hashes', 'casts'),
    convert: ({ result }: { readonly result: { readonly casts: readonly object[] } }) => ({ casts: result.casts }),
  },
  {
    method: 'GET',
    path: 'channel/all',
    operation: 'channel/list/',
    callers: HYPERSNAP_AND_OLDER,
  },
  {
    method: 'GET',
    path: 'reaction/cast',
    operation: 'reactions/cast/',
    callers: HYPERSNAP,
    rename: (query) => {
      query.delete('fid');
      if (!query.has('types')) query.set('types', 'likes');
    },
  },
  {
    method: 'GET',
    path: 'reaction/user',
    operation: 'reactions/user/',
    callers: HYPERSNAP,
    rename: (query) => {
      if (!query.has('type')) query.set('type', 'likes');
    },
  },
];
