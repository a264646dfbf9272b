import { type Columns, tableOf } from './table.js';

/** Output of a running command; a service sends it to the terminal in this form. */
export type OutputEvent =
  /** A line of the result, for standard output. */
  | { readonly type: 'line'; readonly text: string }
  /** A remark, for standard error. */
  | { readonly type: 'note'; readonly text: string }
  | { readonly type: 'progress'; readonly done: number; readonly total?: number; readonly unit: string };

/** What programs get: times are written as ISO 8601 in UTC; what is absent is null, so that members are always there. */
export type Json = string | number | boolean | null | Date | readonly Json[] | JsonObject;

/** Names are in snake_case, and stay as they are: scripts of users read them. */
export type JsonObject = { readonly [name: string]: Json };

/** What a command prints: one result, as text for people, or as JSON for programs (`--json`), and remarks. */
export interface Output {
  /**
   * Prints the result of a command that is no list.
   * @param value for programs
   * @param lines for people; none if remarks say everything
   */
  result(value: JsonObject, lines?: string | readonly string[]): void;
  /**
   * Prints a list as the result: its rows for programs, for people a table with a column for each heading.
   * @param none is noted in the place of an empty table
   */
  list<Row extends JsonObject>(rows: readonly Row[], none: string, columns: Columns<Row>): void;
  note(text: string): void;
  /** Reports progress as often as it likes; `total` is undefined while unknown. */
  progress(done: number, total: number | undefined, unit: string): void;
}

/**
 * @param isJson prints the result as JSON
 * @returns an output that emits events
 */
export const createOutput = (emit: (event: OutputEvent) => void, isJson = false): Output => {
  const note = (text: string) => emit({ type: 'note', text });
  let isPrinted = false;
  const print = (value: Json, lines: string | readonly string[]) => {
    // Two values are no JSON.
    if (isPrinted) throw new Error('A command has one result.');
    isPrinted = true;
    if (isJson) emit({ type: 'line', text: JSON.stringify(value, null, 2) });
    else for (const text of [lines].flat()) emit({ type: 'line', text });
  };
  return {
    result: (value, lines = []) => print(value, lines),
    list: (rows, none, columns) => {
      print(rows, tableOf(rows, columns));
      if (rows.length === 0) note(none);
    },
    note,
    progress: (done, total, unit) => emit({ type: 'progress', done, ...(total === undefined ? {} : { total }), unit }),
  };
};
