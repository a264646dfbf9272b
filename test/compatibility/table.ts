/** The table of docs/compatibility.md stands between these lines. */
export const BEGIN = '<!-- programs: begin. Written by `npm run compatibility`. -->';
export const END = '<!-- programs: end -->';

/** @returns the page with other rows in its table */
export const withRows = (page: string, rows: readonly string[]): string => {
  const [before, rest] = page.split(BEGIN);
  const after = rest?.split(END)[1];
  if (after === undefined) throw new Error(`docs/compatibility.md has no ${BEGIN} with an end`);
  const table = ['| Program | Version | What it calls | Result | Test |', '|---|---|---|---|---|', ...rows];
  return `${before}${BEGIN}\n${table.join('\n')}\n${END}${after}`;
};
