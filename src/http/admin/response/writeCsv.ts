// SPDX-License-Identifier: Apache-2.0
// Rows as CSV (RFC 4180). Values come from ad servers, so spreadsheets must not evaluate them as formulas.

/** Prefixes text that looks like a formula with an apostrophe, which spreadsheets do not show. */
function writeText(text: string): string {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** @param columns in order; missing values stay empty @param hasHeader false for the second and later chunks of one file */
export function writeCsv(
  columns: readonly string[],
  rows: readonly Readonly<Record<string, string | number>>[],
  hasHeader = true,
): string {
  const write = (value: string | number | undefined) =>
    typeof value === 'number' ? String(value) : writeText(value ?? '');
  const lines = rows.map((row) => columns.map((column) => write(row[column])).join(','));
  return (hasHeader ? [columns.join(','), ...lines] : lines).map((line) => `${line}\r\n`).join('');
}
