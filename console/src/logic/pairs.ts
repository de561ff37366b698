// Names and values as lines of text: `name: value`, one each.

export const writePairs = (pairs: Readonly<Record<string, string>> | undefined): string =>
  Object.entries(pairs ?? {})
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

/** Blank lines are skipped; a line without a colon is a name with an empty value. undefined when there is none. */
export function readPairs(text: string): Record<string, string> | undefined {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (lines.length === 0) return undefined;
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf(':');
      return at < 0 ? [line, ''] : [line.slice(0, at).trim(), line.slice(at + 1).trim()];
    }),
  );
}
