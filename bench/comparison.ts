import { percent, type Row } from './table.js';

/** A share of a limit that falls to less than this part of that of the last table fails the comparison. */
const LEAST_PART = 0.9;

/** Columns with a share of a limit, which says more than a rate when machines and their load differ. */
const SHARES = [
  { heading: 'Of the limit', shareOf: ({ share }: Row) => share },
  { heading: 'Of them', shareOf: ({ statementShare }: Row) => statementShare },
] as const;

const cellsOf = (line: string): string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

/** @param table Markdown with at least one table, as `renderTable` writes it @returns its cells, by row and heading */
const readTable = (table: string): Map<string, Map<string, string>> => {
  const [head = '', , ...lines] = table.split('\n').filter((line) => line.startsWith('|'));
  const headings = cellsOf(head);
  const rows = lines.map(cellsOf);
  return new Map(
    rows.map(([what = '', ...cells]) => [
      what,
      new Map(cells.map((cell, index) => [headings[index + 1] as string, cell])),
    ]),
  );
};

/**
 * Compares shares of limits with those of the last table.
 * @param last Markdown with the last table
 * @returns how many shares stand in both, and those that fell by more than a tenth, as text
 */
export const compareRows = (
  rows: readonly Row[],
  last: string,
): { readonly compared: number; readonly falls: readonly string[] } => {
  const table = readTable(last);
  const falls: string[] = [];
  let compared = 0;
  for (const row of rows) {
    for (const { heading, shareOf } of SHARES) {
      const share = shareOf(row);
      const before = Number.parseFloat(table.get(row.what)?.get(heading) ?? '') / 100;
      if (share === undefined || Number.isNaN(before)) continue;
      compared += 1;
      if (share < LEAST_PART * before) falls.push(`${row.what}: ${percent(share)} instead of ${percent(before)}`);
    }
  }
  return { compared, falls };
};
