// SPDX-License-Identifier: Apache-2.0
// A player that reads one rung by delta updates (RFC 8216bis §6.2.5.1, §6.3.7): what it has after each poll must be the full
// playlist of that moment.
import { expect } from 'vitest';
import { readHls, type SeenPlaylist, type SeenSegment } from './readBack.ts';

const numberIn = (text: string, tag: string): number =>
  Number(new RegExp(`^#${tag}:(?:.*=)?(\\d+)$`, 'm').exec(text)?.[1] ?? Number.NaN);

/** Which key precedes EXT-X-MAP depends on where the lines begin; whether one does, does not. */
const comparable = ({ mapKeys, ...segment }: SeenSegment) => ({ ...segment, isMapEncrypted: mapKeys !== '' });

const seconds = (segments: readonly SeenSegment[]): number =>
  segments.reduce((sum, { duration }) => sum + duration, 0) / 1e6;

/** What is in force at a segment, as lines in front of the kept ones: players may keep it for those. */
const inForce = ({ keys, map, date }: SeenSegment): string =>
  `#EXT-X-PROGRAM-DATE-TIME:${new Date(date).toISOString()}\n${keys === '' ? '' : `${keys}\n`}${map === '' ? '' : `${map}\n`}#EXTINF:1,\nskipped\n`;

/** The listed segments of an update, after the last one that it skips. */
function readKept(text: string, last: SeenSegment, count: number, keepsState: boolean): SeenSegment[] {
  const head = text.replace(
    /^#EXT-X-DISCONTINUITY-SEQUENCE:\d+$/m,
    `#EXT-X-DISCONTINUITY-SEQUENCE:${last.discontinuity}`,
  );
  const lines = keepsState ? head.replace(/^(?=#EXT-X-SKIP:)/m, inForce(last)) : head;
  const moved = keepsState ? count - 1 : count;
  const segments = readHls(lines).segments.map((one) => ({ ...one, number: one.number + moved }));
  return keepsState ? segments.slice(1) : segments;
}

/** The tags that an update has in common with its playlist. */
function checkTags(seen: SeenPlaylist, full: string, delta: string, count: number): void {
  const [head, body] = delta.split(/^#EXT-X-SKIP:.*\n/m) as [string, string];
  const fullHead = /^[\s\S]*?#EXT-X-SERVER-CONTROL.*\n/.exec(full)![0];
  expect(head, 'the head').toBe(fullHead.replace('VERSION:6', 'VERSION:9'));
  expect(full.endsWith(body.slice(body.indexOf('#EXTINF'))), 'the last lines').toBe(true);
  const read = readHls(delta);
  expect(read.announced, 'announcements').toEqual(seen.announced);
  expect(read.ranges, 'date ranges of the origin').toEqual(seen.ranges);
  const first = seen.segments[count]!.number;
  const cues = [...read.cues].map(([number, lines]) => [number + count, lines]);
  const keptCues = [...seen.cues].filter(([number]) => number >= first);
  expect(cues, 'markers of the origin').toEqual(keptCues);
}

export class DeltaWitness {
  #segments: readonly SeenSegment[] | undefined;
  /** How many updates it has read. */
  updates = 0;
  /** How many of them skipped a discontinuity. */
  skippedDiscontinuities = 0;
  readonly #skipsDiscontinuities: boolean;

  /** @param skipsDiscontinuities false for channels of MPEG-TS or with text (src/hls/writeDelta.ts) */
  constructor(skipsDiscontinuities = true) {
    this.#skipsDiscontinuities = skipsDiscontinuities;
  }

  /** @param full the playlist of a moment, and `delta` the response to the request for an update at this moment */
  check(full: string, delta: string): void {
    const seen = readHls(full);
    const before = this.#segments;
    this.#segments = seen.segments;
    expect(full, 'a full playlist skips nothing').not.toContain('#EXT-X-SKIP');
    if (!delta.includes('#EXT-X-SKIP')) expect(delta, 'an update that skips nothing').toBe(full);
    else this.#checkUpdate(seen, full, delta, before);
  }

  #checkUpdate(seen: SeenPlaylist, full: string, delta: string, before: readonly SeenSegment[] | undefined): void {
    const count = numberIn(delta, 'EXT-X-SKIP');
    expect(count).toBeGreaterThan(0);
    const [skipped, kept] = [seen.segments.slice(0, count), seen.segments.slice(count)];
    checkTags(seen, full, delta, count);
    const boundary = Number(/CAN-SKIP-UNTIL=([\d.]+)/.exec(full)![1]);
    expect(boundary).toBe(6 * seen.target);
    expect(seconds(kept), 'the Skip Boundary').toBeGreaterThanOrEqual(boundary);
    const last = skipped.at(-1)!;
    if (this.#skipsDiscontinuities) expect(seconds(kept.slice(1))).toBeLessThan(boundary + 0.002);
    else expect(last.discontinuity, 'no discontinuity is skipped').toBe(skipped[0]!.discontinuity);
    this.updates += 1;
    if (kept[0]!.discontinuity > skipped[0]!.discontinuity) this.skippedDiscontinuities += 1;
    const isSkipped = ({ number }: SeenSegment) => number >= skipped[0]!.number && number <= last.number;
    const had = before?.filter(isSkipped) ?? skipped;
    expect(had.length, 'the player has what is skipped').toBe(count);
    for (const keepsState of [false, true]) {
      const merged = [...had, ...readKept(delta, had.at(-1)!, count, keepsState)];
      expect(merged.map(comparable)).toEqual(seen.segments.map(comparable));
    }
  }
}

/** How many updates several players have read. */
export const updatesOf = (witnesses: readonly DeltaWitness[]): number =>
  witnesses.reduce((sum, { updates }) => sum + updates, 0);
