/** What a command tells while it runs; in this form it also travels from a service to the terminal. */
export type OutputEvent =
  /** The result, for standard output. */
  | { readonly type: 'line'; readonly text: string }
  /** A remark for a person, for standard error. */
  | { readonly type: 'note'; readonly text: string }
  | { readonly type: 'progress'; readonly done: number; readonly total?: number; readonly unit: string };

/** Where a command speaks to. */
export interface Output {
  line(text: string): void;
  note(text: string): void;
  /** Prints rows under their headings, the columns aligned; numbers stand to the right. */
  table(headings: readonly string[], rows: readonly (readonly Cell[])[]): void;
  /** Says how far the work is, as often as it likes; `total` is absent while it is unknown. */
  progress(done: number, total: number | undefined, unit: string): void;
}

export type Cell = string | number;

const shown = (cell: Cell): string => (typeof cell === 'number' ? cell.toLocaleString('en-US') : cell);

/** @returns the lines of a table; a column of numbers is aligned to the right. */
export function formatTable(headings: readonly string[], rows: readonly (readonly Cell[])[]): string[] {
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
}

/** @returns an output that passes everything on as events. */
export const createOutput = (emit: (event: OutputEvent) => void): Output => ({
  line: (text) => emit({ type: 'line', text }),
  note: (text) => emit({ type: 'note', text }),
  table: (headings, rows) => {
    for (const text of formatTable(headings, rows)) emit({ type: 'line', text });
  },
  progress: (done, total, unit) => emit({ type: 'progress', done, ...(total === undefined ? {} : { total }), unit }),
});
