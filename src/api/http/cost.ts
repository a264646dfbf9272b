interface Fixed {
  readonly fixed: number;
}

/** Cost per item that a member of the request asks for: the number in `limit`, or the length of `fids`. */
export interface ForEach {
  /** Added once per call. */
  readonly base?: number;
  readonly each: number;
  readonly of: string;
  /** Part of the request with the member; `query` by default. */
  readonly in?: 'query' | 'body';
  /** Maximum number of items where the schema has none: the operation rejects longer lists. */
  readonly most?: number;
  /** Counts the items of a body of bytes, which has no members. It never throws: what it cannot read counts nothing. */
  count?(body: Buffer): number;
  /** Costs added by other members of the query. */
  readonly more?: readonly Addition[];
}

/** Units for each one by which a number exceeds `above`, or for a flag that is set. */
export interface Addition {
  readonly each: number;
  readonly of: string;
  readonly above?: number;
}

/** Depends on the request alone, so a caller knows it in advance. Whole numbers. */
export type Cost = Fixed | ForEach;
