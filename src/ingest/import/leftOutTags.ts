// SPDX-License-Identifier: Apache-2.0
/** What viewers will not find, by the tag that announces it. */
const LEFT_OUT: readonly (readonly [tag: string, text: string])[] = [
  ['EXT-X-I-FRAME-STREAM-INF', 'I-frame playlists are left out (EXT-X-I-FRAME-STREAM-INF)'],
  ['EXT-X-IMAGE-STREAM-INF', 'images are left out (EXT-X-IMAGE-STREAM-INF)'],
  ['EXT-X-CONTENT-STEERING', 'content steering is left out (EXT-X-CONTENT-STEERING)'],
  ['EXT-X-PART', 'low-latency parts are left out (EXT-X-PART); viewers get whole segments'],
];

/** A warning for each of them in a playlist, with the line of the first one. */
export function leftOutTags(text: string): string[] {
  return LEFT_OUT.flatMap(([tag, warning]) => {
    for (let at = text.indexOf(`#${tag}:`); at >= 0; at = text.indexOf(`#${tag}:`, at + 1))
      if (startsLine(text, at)) return [`line ${lineOf(text, at)}: ${warning}`];
    return [];
  });
}

function startsLine(text: string, at: number): boolean {
  let before = at - 1;
  while (before >= 0 && /[^\S\r\n]/.test(text[before]!)) before -= 1;
  return before < 0 || text[before] === '\n' || text[before] === '\r';
}

function lineOf(text: string, at: number): number {
  let line = 1;
  for (let index = 0; index < at; index += 1) {
    const isEnd = text[index] === '\n' || (text[index] === '\r' && text[index + 1] !== '\n');
    if (isEnd) line += 1;
  }
  return line;
}
