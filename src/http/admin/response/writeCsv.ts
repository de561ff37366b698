// Rows as CSV. Source: RFC 4180; and whoever opens it in a spreadsheet must not run what an ad server wrote.

/** A text that a spreadsheet would take for a formula gets an apostrophe before it, which spreadsheets do not show. */
function writeText(text: string): string {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** @param columns in order; a value that a row does not have stays empty */
export const writeCsv = (
  columns: readonly string[],
  rows: readonly Readonly<Record<string, string | number>>[],
): string => writeCsvRows(columns, rows, true);

/** @param hasHead whether the names of the columns come first; not so in what goes on from before */
export function writeCsvRows(
  columns: readonly string[],
  rows: readonly Readonly<Record<string, string | number>>[],
  hasHead: boolean,
): string {
  const write = (value: string | number | undefined) =>
    typeof value === 'number' ? String(value) : writeText(value ?? '');
  const lines = rows.map((row) => columns.map((column) => write(row[column])).join(','));
  return (hasHead ? [columns.join(','), ...lines] : lines).map((line) => `${line}\r\n`).join('');
}
