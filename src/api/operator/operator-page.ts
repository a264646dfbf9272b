import Type from 'typebox';

const MAX_ROWS = 100;

/** Query members of lists for operators: their cursor is the id of the last row. */
export const pageQuery = {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_ROWS, default: MAX_ROWS, description: 'Rows of a page.' }),
  ),
  cursor: Type.Optional(Type.String({ format: 'uuid', description: '`next.cursor` of the page before.' })),
};

/** @returns what to select: one row more than a page has, which shows whether another follows */
export const pageOf = ({ limit = MAX_ROWS, cursor }: { readonly limit?: number; readonly cursor?: string }) => ({
  limit: limit + 1,
  afterId: cursor,
});

/** @returns the rows of the page, and the cursor of the next one */
export const cutRows = <Row extends { readonly id: string }>(
  rows: readonly Row[],
  { limit = MAX_ROWS }: { readonly limit?: number },
) => ({
  rows: rows.slice(0, limit),
  next: { cursor: rows.length > limit ? (rows[limit - 1] as Row).id : null },
});
