const cell = (value: unknown): string => {
  const text = value === null || value === undefined ? '' : String(value);
  // A leading sign would be a formula for a spreadsheet.
  const safe = /^[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
  return /[",\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** Saves rows as a file of the browser. */
export const saveCsv = (name: string, columns: readonly string[], rows: readonly (readonly unknown[])[]): void => {
  const text = [columns, ...rows].map((row) => row.map(cell).join(',')).join('\r\n');
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
};
