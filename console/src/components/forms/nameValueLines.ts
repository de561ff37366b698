// SPDX-License-Identifier: Apache-2.0
// Names and values as text, one `name: value` per line.

export const formatNameValueLines = (values: Readonly<Record<string, string>> | undefined): string =>
  Object.entries(values ?? {})
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

/** Skips blank lines; a line without a colon is a name with an empty value. @returns undefined without any line */
export function parseNameValueLines(text: string): Record<string, string> | undefined {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (lines.length === 0) return undefined;
  return Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return colon < 0 ? [line, ''] : [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
    }),
  );
}
