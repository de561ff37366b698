// SPDX-License-Identifier: Apache-2.0
// A document of an ad server for reading: XML and JSON are indented, anything else stays as it is. Documents can be broken, so
// nothing is parsed.

const token = /<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|<!--[\s\S]*?(?:-->|$)|<[^>]*(?:>|$)|[^<]+/g;

type Last = 'open' | 'inline' | 'other';

/** An element that contains only text stays on one line. */
export function prettyXml(text: string): string {
  const lines: string[] = [];
  let depth = 0;
  let last: Last = 'other';
  const add = (line: string) => void lines.push('  '.repeat(depth) + line);
  const append = (more: string) => {
    lines[lines.length - 1] += more;
  };
  for (const [raw] of text.matchAll(token)) {
    const part = raw.trim();
    if (part === '') continue;
    if (part.startsWith('</')) {
      depth = Math.max(0, depth - 1);
      if (last === 'other') add(part);
      else append(part);
      last = 'other';
    } else if (!part.startsWith('<') || part.startsWith('<![CDATA[')) {
      if (last === 'open') append(part);
      else add(part);
      last = last === 'open' ? 'inline' : 'other';
    } else {
      add(part);
      const isOpening = !part.endsWith('/>') && !part.startsWith('<?') && !part.startsWith('<!');
      if (isOpening) depth += 1;
      last = isOpening ? 'open' : 'other';
    }
  }
  return lines.join('\n');
}

export function prettyDocument(text: string): string {
  const start = text.trimStart();
  if (start.startsWith('<')) return prettyXml(start);
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}
