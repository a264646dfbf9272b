/** Output of a running command; a service sends it to the terminal in this form. */
export type OutputEvent =
  /** A line of the result, for standard output. */
  | { readonly type: 'line'; readonly text: string }
  /** A remark, for standard error. */
  | { readonly type: 'note'; readonly text: string }
  | { readonly type: 'progress'; readonly done: number; readonly total?: number; readonly unit: string };

export interface Output {
  line(text: string): void;
  note(text: string): void;
  /** Prints rows under headings in aligned columns; numbers are right-aligned. */
  table(headings: readonly string[], rows: readonly (readonly Cell[])[]): void;
  /** Prints a table with a column for each heading, or notes `none` in the place of an empty one. */
  list<Row>(rows: readonly Row[], none: string, columns: Readonly<Record<string, (row: Row) => Cell>>): void;
  /** Reports progress as often as it likes; `total` is undefined while unknown. */
  progress(done: number, total: number | undefined, unit: string): void;
}

export type Cell = string | number;

const shown = (cell: Cell): string => (typeof cell === 'number' ? cell.toLocaleString('en-US') : cell);

/** @returns the lines of a table; columns of numbers are right-aligned */
export const formatTable = (headings: readonly string[], rows: readonly (readonly Cell[])[]): string[] => {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => shown(row[column] ?? '').length)),
  );
  const right = headings.map((_, column) => rows.length > 0 && rows.every((row) => typeof row[column] === 'number'));
  const line = (cells: readonly Cell[]): string =>
    widths
      .map((width, column) => {
        const text = shown(cells[column] ?? '');
        return right[column] ? text.padStart(width) : text.padEnd(width);
      })
      .join('  ')
      .trimEnd();
  return [line(headings), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)];
};

/** @returns an output that emits events */
export const createOutput = (emit: (event: OutputEvent) => void): Output => ({
  line: (text) => emit({ type: 'line', text }),
  note: (text) => emit({ type: 'note', text }),
  table(headings, rows) {
    for (const text of formatTable(headings, rows)) this.line(text);
  },
  list(rows, none, columns) {
    if (rows.length === 0) return this.note(none);
    const cells = Object.values(columns);
    this.table(
      Object.keys(columns),
      rows.map((row) => cells.map((cell) => cell(row))),
    );
  },
  progress: (done, total, unit) => emit({ type: 'progress', done, ...(total === undefined ? {} : { total }), unit }),
});
