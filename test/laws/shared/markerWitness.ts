// SPDX-License-Identifier: Apache-2.0
// Remembers the markers that a channel's own view had, and reports which rule a later manifest breaks (docs/laws.md).
import { expect } from 'vitest';
import { channelMediaText, channelMpdText } from '../../../src/http/live/guided/channelRoutes.ts';
import type { ChannelView } from '../../../src/playback/view/channelView.ts';
import { checkMpd } from '../schema/checkMpd.ts';

/** In tests, nodes agree on the next second: editions take effect after 3 s and are read within 2 s. */
const OUT = { dialect: 'both', ahead: 1000 } as const;
const MARKER = /^#EXT-(X-CUE|OATCLS-SCTE35|X-DATERANGE|X-ASSET)/;
const STREAM = /<EventStream schemeIdUri="urn:scte:scte35:2014:xml\+bin"[\s\S]*?<\/EventStream>\n/g;

const withoutMarkers = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !MARKER.test(line))
    .join('\n');

/** Breaks of a schedule are announced ahead. */
const typed = (view: ChannelView): ChannelView => {
  const { channel, programme } = view.airing;
  const type = programme.borders === undefined ? 'vod2live' : 'live';
  return { ...view, airing: { ...view.airing, channel: { ...channel, type } as never } };
};

export const markedTexts = (view: ChannelView, clock: string) => {
  const { ladder } = view.airing;
  return {
    hls: ladder.rungs.map((_, rung) => channelMediaText(typed(view), rung, OUT)),
    mpd: channelMpdText(typed(view), clock, OUT),
  };
};

/** The lines with a date range of ours, and the other markers by the number of the segment after them. */
function markersIn(text: string) {
  const ranges: string[] = [];
  const cues = new Map<number, string[]>();
  let number = Number(/^#EXT-X-MEDIA-SEQUENCE:(\d+)$/m.exec(text)![1]);
  const first = number;
  let lines: string[] = [];
  for (const line of text.split('\n')) {
    if (line.startsWith('#EXT-X-DATERANGE:ID="splice-')) ranges.push(line);
    else if (MARKER.test(line) && !line.startsWith('#EXT-X-DATERANGE')) lines.push(line);
    if (line === '' || line.startsWith('#')) continue;
    cues.set(number, lines);
    lines = [];
    number += 1;
  }
  return { first, ranges, cues };
}

export class MarkerWitness {
  /** By rung and number. */
  readonly #cues = new Map<string, readonly string[]>();
  readonly #attributes = new Map<string, string>();
  readonly #events = new Map<string, string>();
  #passes = false;

  check({ hls, mpd }: ReturnType<typeof markedTexts>, plain: readonly string[], plainMpd: string): void {
    // Of channels that keep the markers of their origin, which have none of their own.
    this.#passes ||= plain.some((text) => /^#EXT-X-CUE/m.test(text));
    hls.forEach((text, rung) => {
      expect(withoutMarkers(text), 'markers are added to the same media').toBe(withoutMarkers(plain[rung]!));
      const { first, ranges, cues } = markersIn(text);
      expect(ranges, 'law 2: every rung has the same ranges').toEqual(markersIn(hls[0]!).ranges);
      this.#checkRanges(ranges);
      if (!this.#passes) this.#checkCues(rung, first, cues);
    });
    checkMpd(mpd);
    expect(mpd.replace(STREAM, ''), 'events are added to the same media').toBe(plainMpd);
    for (const [event, id] of mpd.matchAll(/<Event [^>]*id="(\d+)"[^>]*>\s*<scte35:[\s\S]*?<\/Event>/g)) {
      expect(event, `event ${id} has changed`).toBe(this.#events.get(id!) ?? event);
      this.#events.set(id!, event);
    }
    // Law 2: what starts in HLS starts in DASH.
    for (const [, message] of hls[0]!.matchAll(/^#EXT-OATCLS-SCTE35:(.*)$/gm)) expect(mpd).toContain(`>${message}<`);
  }

  /** A tag before a segment stays; EXT-X-CUE-IN leaves with the segment before it. */
  #checkCues(rung: number, first: number, cues: ReadonlyMap<number, readonly string[]>): void {
    for (const [number, lines] of cues) {
      const key = `${rung} ${number}`;
      const known = this.#cues.get(key) ?? lines;
      const isFirst = number === first;
      expect(lines, `law 1: segment ${key}`).toEqual(isFirst ? known.filter((line) => line !== CUE_IN) : known);
      this.#cues.set(key, lines);
    }
  }

  /** RFC 8216bis §4.4.5.1: attributes of tags with the same ID do not differ. */
  #checkRanges(ranges: readonly string[]): void {
    for (const line of ranges) {
      const [, id] = /ID="([^"]*)"/.exec(line)!;
      for (const [, name, value] of line.matchAll(/[:,]([A-Z0-9-]+)=("[^"]*"|[^,]*)/g)) {
        const key = `${id} ${name}`;
        expect(value, `${key} has changed`).toBe(this.#attributes.get(key) ?? value);
        this.#attributes.set(key, value!);
      }
    }
    const starts = ranges.filter((line) => line.includes('SCTE35-OUT')).map((line) => /ID="([^"]*)"/.exec(line)![1]);
    expect(new Set(starts).size, `each break starts once\n${ranges.join('\n')}`).toBe(starts.length);
  }
}

const CUE_IN = '#EXT-X-CUE-IN';
