import { type Call, type CallRequest, read } from './call.js';
import { type CastJson, type UserJson, viewCast, viewUser } from './entity.js';
import { type Cut, listResult, type Page, pageOfAll } from './result.js';

type Query = NonNullable<CallRequest['query']>;

type Next = { readonly cursor: string | null } | undefined;

/** Searches have their page in `result`. */
interface Listed {
  readonly next?: Next;
  readonly result?: { readonly next?: Next };
}

/** Lists the items of an operation that has pages. */
export const listPages = <Item, Body>(options: {
  readonly call: Call;
  readonly path: string;
  readonly query: Query;
  readonly itemsOf: (body: Body) => readonly Item[];
  readonly limit: number;
  readonly view: (item: Item, cut: Cut) => unknown;
  readonly what: string;
}): Promise<string> => {
  const { call, path, query, itemsOf, ...shown } = options;
  const load = async (limit: number): Promise<Page<Item>> => {
    const body = await read<Body & Listed>(call, path, { ...query, limit });
    return { items: itemsOf(body), cursor: (body.next ?? body.result?.next)?.cursor ?? null };
  };
  return listResult({ load, ...shown });
};

/** Lists the casts of an operation that answers with `casts`. */
export const listCasts = (call: Call, path: string, query: Query, limit: number): Promise<string> =>
  listPages({
    ...{ call, path, query, limit, view: viewCast, what: 'casts' },
    itemsOf: (body: { readonly casts: readonly CastJson[] }) => body.casts,
  });

/** Lists the casts of an operation that answers with all of them at once, which are asked for once. */
export const listAllCasts = async (
  call: Call,
  { path, query }: { readonly path: string; readonly query: Query },
  { cursor, limit }: { readonly cursor: string | undefined; readonly limit: number },
): Promise<string> => {
  const { casts } = await read<{ readonly casts: readonly CastJson[] }>(call, path, query);
  const load = async (most: number): Promise<Page<CastJson>> => pageOfAll(casts, cursor, most);
  return listResult({ load, limit, view: viewCast, what: 'casts' });
};

/** @returns the account of an entry: some lists have an object around it */
const userOf = (entry: UserJson | { readonly user: UserJson }): UserJson => ('user' in entry ? entry.user : entry);

/** Lists the users of an operation that answers with `users`, with or without an object around each. */
export const listUsers = (call: Call, path: string, query: Query, limit: number): Promise<string> =>
  listPages({
    ...{ call, path, query, limit, view: viewUser, what: 'people' },
    itemsOf: (body: { readonly users: readonly (UserJson | { user: UserJson })[] }) => body.users.map(userOf),
  });
