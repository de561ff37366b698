// SPDX-License-Identifier: Apache-2.0
// Writes a whole presentation as a static MPD (ISO/IEC 23009-1 5.3.1.2): a Period for each span. Only the head of a Period
// and its events differ between viewers.
import { memo } from '../../cache/memo.ts';
import type { Clip } from '../../timeline/asset/clip.ts';
import type { Ladder } from '../../timeline/ladder/ladder.ts';
import { type Span, spanEnd, spanStart } from '../../timeline/programme/span.ts';
import { element, escapeAttribute, escapeText, xmlDeclaration } from '../../xml/write.ts';
import { writeDuration } from '../duration.ts';
import { adaptationSets } from './adaptationSets.ts';
import { announceSpan } from './announce.ts';

/** ASCII text needs neither counting nor encoding when it is sent; other characters are written as references. */
const ascii = (text: string): string => text.replace(/[^\x20-\x7e\n]/gu, (other) => `&#${other.codePointAt(0)};`);

/** By ladder and clip. */
const setsOf = memo((ladder: Ladder) =>
  memo((clip: Clip): string => ascii(adaptationSets({ clip, first: clip.firsts, end: clip.ends }, ladder))),
);

export type StaticMpdFrame = {
  readonly ladder: Ladder;
  /** The base of relative segment URLs, itself relative to the MPD (5.6.4). */
  readonly baseUrl: string;
  /** Whether breaks and ads are announced as events. */
  readonly announces: boolean;
};

/**
 * @param spans all spans of a presentation, in order; the first one starts at time zero
 * @returns ASCII text
 */
export function writeStaticMpd(spans: readonly Span[], { ladder, baseUrl, announces }: StaticMpdFrame): string {
  const [first] = spans;
  const last = spans.at(-1);
  if (first === undefined || last === undefined) throw new Error('A presentation must have a span.');
  const zero = spanStart(first);
  const sets = setsOf(ladder);
  // Periods are concatenated, not joined by `element`, which would copy them several times.
  let periods = '';
  spans.forEach((span, index) => {
    const start = spanStart(span);
    const next = spans[index + 1];
    // Start and duration are differences of the same rounded instants, so Periods tile exactly (law 7).
    const end = next === undefined ? spanEnd(span) : spanStart(next);
    const events = announces ? announceSpan(span, zero) : '';
    periods +=
      `<Period id="${escapeAttribute(span.id)}" start="${writeDuration(start - zero)}" ` +
      `duration="${writeDuration(end - start)}">\n${events}${events === '' ? '' : '\n'}${sets(span.placed.clip)}\n</Period>\n`;
  });
  const attributes = {
    xmlns: 'urn:mpeg:dash:schema:mpd:2011',
    profiles: 'urn:mpeg:dash:profile:isoff-live:2011',
    type: 'static',
    mediaPresentationDuration: writeDuration(spanEnd(last) - zero),
    minBufferTime: 'PT2S',
    maxSegmentDuration: writeDuration(1000 * ladder.targetDuration),
  };
  const around = element('MPD', attributes, element('BaseURL', {}, ascii(escapeText(baseUrl))));
  const end = around.lastIndexOf('</MPD>');
  return xmlDeclaration + around.slice(0, end) + periods + around.slice(end);
}
