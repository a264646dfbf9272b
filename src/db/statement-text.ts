/** The text of a statement as the store writes it, taken apart. */
export interface StatementText {
  /** What is sent, with `$1..$n` for the named parameters. */
  readonly text: string;
  /** Names of the parameters in their order; undefined: there are none. */
  readonly params: readonly string[] | undefined;
  /** Parameters that may be null. */
  readonly nullableParams: ReadonlySet<string>;
  /** Columns of the result that are said to be null (true) or never null (false). */
  readonly nullableColumns: ReadonlyMap<string, boolean>;
}

/** A string, a column with its mark, or a parameter: `'text'`, `"count!"`, `:fid`, `:parent?`. */
const TOKEN = /'(?:[^']|'')*'|"(\w+)([!?])"|(?<![:\w\])]):([a-z]\w*)(\??)/gi;

/**
 * Reads the notation in which the store writes SQL:
 *
 * - `:fid` is a parameter, `:parent?` one that may be null, or an array of which elements may be null;
 * - `as "count!"` says that a computed column is never null, `as "name?"` that it may be. PostgreSQL knows this only of
 *   columns that it reads from a table, and not behind an outer join.
 *
 * @param first number of the first named parameter, where others that have no name precede it
 * @throws Error when some parameters have names and others are numbered where names begin
 */
export const parseStatementText = (source: string, first = 1): StatementText => {
  const params: string[] = [];
  const nullableParams = new Set<string>();
  const nullableColumns = new Map<string, boolean>();
  const text = source.replaceAll(TOKEN, (token, column?: string, mark?: string, param?: string, optional?: string) => {
    if (column !== undefined) {
      nullableColumns.set(column, mark === '?');
      return `"${column}"`;
    }
    if (param === undefined) return token;
    if (!params.includes(param)) params.push(param);
    if (optional) nullableParams.add(param);
    return `$${first + params.indexOf(param)}`;
  });
  const isMixed = params.length > 0 && [...source.matchAll(/\$(\d+)/g)].some(([, number]) => Number(number) >= first);
  if (isMixed) throw new Error(`A statement has named and numbered parameters: ${source}`);
  return { text, params: params.length > 0 ? params : undefined, nullableParams, nullableColumns };
};
