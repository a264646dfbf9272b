import Type, { type Static } from 'typebox';
import {
  decodeListToken,
  encodeListToken,
  type ListSubject,
  numberPosition,
  readNumberPosition,
  readTokenText,
  writeTokenText,
} from './list-token.js';

export const MAX_LIST_PAGE = 1_000;

/** Query parameters of the lists of hubs that are not sorted by time. */
export const listPageQuery = {
  pageSize: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_LIST_PAGE,
      default: MAX_LIST_PAGE,
      description: 'Most entries per response.',
    }),
  ),
  reverse: Type.Optional(Type.Boolean({ default: false, description: 'In the opposite order.' })),
  pageToken: Type.Optional(
    Type.String({ description: 'nextPageToken of the previous page of this list; empty means the first page.' }),
  ),
};

const ListPageQuery = Type.Object(listPageQuery);
type ListPageQuery = Static<typeof ListPageQuery>;

/** How the place of an entry in a list becomes bytes. */
export interface PlaceCodec<Place> {
  write(place: Place): Uint8Array;
  /** @param position made by `write` */
  read(position: Buffer): Place;
}

export interface ListPage<Place> {
  readonly after: Place | undefined;
  readonly reverse: boolean;
  /** One more than the page holds, which shows whether another follows. */
  readonly limit: number;
}

/** One page of a list; `nextPageToken` is absent on the last one. */
interface CutPage<Row> {
  readonly rows: readonly Row[];
  readonly next: { readonly nextPageToken?: string };
}

/**
 * Reads a page of a list.
 * @param list what the list is of, which its tokens are tied to
 * @param select reads the rows after a place, in the order of the places
 * @throws AppError invalid, property `pageToken`, for a token of another list
 */
export const readListPage = async <Place, Row>(
  list: ListSubject,
  { pageSize = MAX_LIST_PAGE, reverse = false, pageToken }: ListPageQuery,
  codec: PlaceCodec<Place>,
  select: (page: ListPage<Place>) => Promise<readonly Row[]>,
  placeOf: (row: Row) => Place,
): Promise<CutPage<Row>> => {
  const position = decodeListToken(list, readTokenText(pageToken));
  const after = position === undefined ? undefined : codec.read(position);
  const found = await select({ after, reverse, limit: pageSize + 1 });
  const rows = found.slice(0, pageSize);
  const last = found.length > pageSize ? rows.at(-1) : undefined;
  if (last === undefined) return { rows, next: {} };
  return { rows, next: { nextPageToken: writeTokenText(encodeListToken(list, codec.write(placeOf(last)))) } };
};

/** Of lists that are sorted by fid. */
export const fidPlace: PlaceCodec<number> = { write: numberPosition, read: readNumberPosition };

/** Of lists that are sorted by an id or a hash. */
export const bytesPlace: PlaceCodec<Uint8Array> = { write: (place) => place, read: (position) => position };
