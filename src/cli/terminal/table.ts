import { minute } from './format.js';

/** A time is shown by the minute in UTC, and null as `-`. */
export type Cell = string | number | Date | null;

/** Members of a row whose values can be cells as they are. */
type CellName<Row> = { [Name in keyof Row]: Row[Name] extends Cell ? Name : never }[keyof Row];

/** Headings with the member of a row that stands under each, or what makes the cell of a row. */
export type Columns<Row> = Readonly<Record<string, CellName<Row> | ((row: Row) => Cell)>>;

const shown = (cell: Cell): string => {
  if (cell === null || cell instanceof Date) return minute(cell);
  return typeof cell === 'number' ? cell.toLocaleString('en-US') : cell;
};

/** @returns the lines of a table; columns of numbers are right-aligned */
export const formatTable = (headings: readonly string[], rows: readonly (readonly Cell[])[]): string[] => {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => shown(row[column] ?? null).length)),
  );
  const right = headings.map((_, column) => rows.length > 0 && rows.every((row) => typeof row[column] === 'number'));
  const line = (cells: readonly string[]): string =>
    widths
      .map((width, column) => {
        const text = cells[column] ?? '';
        return right[column] ? text.padStart(width) : text.padEnd(width);
      })
      .join('  ')
      .trimEnd();
  return [line(headings), line(widths.map((width) => '-'.repeat(width))), ...rows.map((row) => line(row.map(shown)))];
};

/** @returns the lines of a table with a column for each heading; none without rows */
export const tableOf = <Row>(rows: readonly Row[], columns: Columns<Row>): string[] => {
  if (rows.length === 0) return [];
  const cells = Object.values(columns);
  const cellOf = (row: Row, cell: Columns<Row>[string]): Cell =>
    typeof cell === 'function' ? cell(row) : (row[cell] as Cell);
  return formatTable(
    Object.keys(columns),
    rows.map((row) => cells.map((cell) => cellOf(row, cell))),
  );
};
