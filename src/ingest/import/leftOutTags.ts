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
    const at = text.search(new RegExp(`^[ \\t]*#${tag}:`, 'm'));
    return at < 0 ? [] : [`line ${text.slice(0, at).split(/\r\n|[\r\n]/).length}: ${warning}`];
  });
}
