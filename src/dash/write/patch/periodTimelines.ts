// SPDX-License-Identifier: Apache-2.0
// A Period as what never changes once it is published, and the time lines in it, which do. Elements are on separate lines
// (xml/write.ts), and text has no line that begins with a tag, because `<` is escaped in it.

export type Timeline = {
  /** An XPath of its SegmentTemplate, from the Period on. */
  readonly path: string;
  readonly startNumber: string | undefined;
  /** The S elements. */
  readonly runs: readonly string[];
};

export type PeriodTimelines = { readonly rest: string; readonly timelines: readonly Timeline[] };

const idOf = (line: string): string => /^<\w+ id="([^"]*)"/.exec(line)?.[1] ?? '';
const START_NUMBER = / startNumber="(\d+)"/;

export function readTimelines(period: string): PeriodTimelines {
  const rest: string[] = [];
  const timelines: (Timeline & { readonly runs: string[] })[] = [];
  let set = '';
  let representation = '';
  for (const line of period.split('\n')) {
    if (line.startsWith('<S ')) {
      timelines.at(-1)?.runs.push(line);
      continue;
    }
    rest.push(line.startsWith('<SegmentTemplate ') ? line.replace(START_NUMBER, '') : line);
    if (line.startsWith('<AdaptationSet ')) [set, representation] = [`/AdaptationSet[@id='${idOf(line)}']`, ''];
    else if (line.startsWith('<Representation ')) representation = `/Representation[@id='${idOf(line)}']`;
    else if (line.startsWith('<SegmentTemplate ')) {
      const startNumber = START_NUMBER.exec(line)?.[1];
      timelines.push({ path: `${set}${representation}/SegmentTemplate`, startNumber, runs: [] });
    }
  }
  return { rest: rest.join('\n'), timelines };
}
