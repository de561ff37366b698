// SPDX-License-Identifier: Apache-2.0
// Remembers what a channel was shown to everyone, without a viewer and to guided ones, and reports which law a later manifest breaks
// (docs/laws.md).
import { expect } from 'vitest';
import {
  channelMediaText,
  channelMpdText,
  guidedMediaText,
  guidedMpdText,
} from '../../../src/http/live/guided/channelRoutes.ts';
import type { Airing } from '../../../src/playback/onAir/airing.ts';
import { type ChannelView, channelView, guidedView } from '../../../src/playback/view/channelView.ts';
import { millis } from '../../../src/time/units.ts';
import type { Ladder } from '../../../src/timeline/ladder/ladder.ts';
import type { Announced, SeenPeriod, SeenPlaylist } from '../readBack.ts';
import { ColumnWitness, RowsWitness } from '../witness.ts';
import { MarkerWitness, markedTexts } from './markerWitness.ts';

const CLOCK = 'https://live.test/time';
const BREAKS_URL = 'https://live.test/dash/c/breaks/';
const breakUrl = (id: string): string => `${BREAKS_URL}${id}.mpd`;

function textsOf(airing: Airing, now: number) {
  const view = channelView(airing, millis(now));
  const behind = guidedView(airing, millis(now));
  const columns = (of: ChannelView, isGuided: boolean) =>
    airing.ladder.rungs.map((_, rung) =>
      isGuided ? guidedMediaText(of, rung) : channelMediaText(of, rung, undefined),
    );
  return {
    plain: columns(view, false),
    behind: columns(behind, false),
    guided: columns(behind, true),
    mpd: channelMpdText(view, CLOCK, undefined),
    guidedMpd: guidedMpdText(view, CLOCK, BREAKS_URL),
    marked: markedTexts(view, CLOCK),
  };
}

/** The lines of a playlist that do not depend on who inserts the ads. */
const mediaLines = (text: string): string => text.replace(/^#EXT-X-(VERSION|DEFINE|DATERANGE):.*\n/gm, '');
const mediaElements = (mpd: string): string =>
  mpd.replace(/<EventStream[\s\S]*?<\/EventStream>\n|<EssentialProperty.*\n/g, '');

type Attributes = Readonly<Record<string, string>>;

const attributesOf = (line: string): Attributes =>
  Object.fromEntries([...line.matchAll(/[:,]([A-Z0-9-]+)=("[^"]*"|[^,]*)/g)].map(([, name, value]) => [name, value]));

/** The interstitials of a playlist: the tag that describes each, and the one that limits it. */
function interstitialsIn(text: string): Map<string, { tag: Attributes; limit?: Attributes }> {
  const found = new Map<string, { tag: Attributes; limit?: Attributes }>();
  for (const [line] of text.matchAll(/^#EXT-X-DATERANGE:.*CLASS="com\.apple\.hls\.interstitial".*$/gm)) {
    const tag = attributesOf(line);
    const id = JSON.parse(tag.ID!) as string;
    const known = found.get(id);
    if (known === undefined) found.set(id, { tag });
    else {
      expect(known.limit, `a third tag of ${id}\n${text}`).toBeUndefined();
      known.limit = tag;
    }
  }
  return found;
}

const breaksIn = (announced: readonly Announced[]): string[] => [
  ...new Set(announced.filter(({ signal }) => signal === undefined).map(({ id }) => id)),
];

/** Laws 2 and 3: what is listed at one time is the same in both formats, and numbered alike in all rungs. */
export function expectAligned(
  { rungs }: Ladder,
  seen: readonly SeenPlaylist[],
  periods: readonly SeenPeriod[],
  now: number,
): void {
  rungs.forEach(({ id }, rung) => {
    const inDash = periods.flatMap(({ urls }) => urls[id] ?? []);
    // Text is the same in both formats, in another container.
    const inHls = seen[rung]!.segments.map(({ uri }) => uri.replace(/\.vtt$/, '.m4s'));
    expect(inDash, `law 2: rung ${id} at ${now}`).toEqual(inHls);
  });
  const counts = seen.map(({ segments }) => segments[0]!.discontinuity);
  expect(new Set(counts).size, 'law 3: one discontinuity sequence number in all rungs').toBe(1);
}

export class ChannelWitness {
  readonly #columns: readonly ColumnWitness[];
  readonly #behind: readonly ColumnWitness[];
  readonly #rows = new RowsWitness();
  readonly #guidedRows = new RowsWitness();
  readonly #markers = new MarkerWitness();
  readonly #interstitials = new Map<string, Attributes>();
  readonly #replacements = new Map<string, string>();
  readonly #gone = new Set<string>();
  /** Listed for the first time; none are when the witness begins. */
  #begun: Set<string> | undefined;
  readonly #ladder: Ladder;

  constructor(ladder: Ladder) {
    this.#ladder = ladder;
    const columns = (of: string) => ladder.rungs.map(({ id }) => new ColumnWitness(`${of} ${id}`, ladder.frameRate));
    this.#columns = columns('channel');
    this.#behind = columns('guided');
  }

  /** @param other the channel on another node, which has to return the same bytes */
  check(airing: Airing, now: number, other?: Airing): void {
    const texts = textsOf(airing, now);
    if (other !== undefined) expect(textsOf(other, now), `law 8: at ${now}`).toEqual(texts);
    const { plain, behind, guided, mpd, guidedMpd, marked } = texts;
    this.#markers.check(marked, plain, mpd);
    const seen = this.#columns.map((column, rung) => column.check(plain[rung]!, now));
    const periods = this.#rows.check(mpd);
    expectAligned(this.#ladder, seen, periods, now);
    this.#ladder.rungs.forEach(({ id }, rung) => {
      expect(seen[rung]!.announced, `law 2: announcements of rung ${id} at ${now}`).toEqual(seen[0]!.announced);
      this.#behind[rung]!.check(behind[rung]!, now);
      expect(mediaLines(guided[rung]!), 'guided viewers get the same media').toBe(mediaLines(behind[rung]!));
      this.#checkInterstitials(guided[rung]!, seen[0]!);
    });
    expect(mediaElements(guidedMpd), 'guided viewers get the same media').toBe(mediaElements(mpd));
    this.#checkReplacements(this.#guidedRows.check(guidedMpd), periods);
    this.#begun ??= new Set();
  }

  /** RFC 8216bis §4.4.5.1: attributes do not change; a limit may be added. */
  #checkInterstitials(text: string, { announced, segments }: SeenPlaylist): void {
    const listed = interstitialsIn(text);
    for (const [id, { tag, limit }] of listed) {
      expect(this.#gone, `${id} is listed again\n${text}`).not.toContain(id);
      expect(tag, text).not.toHaveProperty('X-PLAYOUT-LIMIT');
      expect(tag['X-ASSET-LIST'], text).toContain('{$sid}');
      if (limit !== undefined) {
        expect(Object.keys(limit), text).toEqual(['ID', 'CLASS', 'START-DATE', 'X-PLAYOUT-LIMIT', 'X-RESUME-OFFSET']);
      }
      const now = { ...tag, ...limit };
      expect(now, `${id} has changed\n${text}`).toMatchObject(this.#interstitials.get(id) ?? now);
      if (!this.#interstitials.has(id)) this.#begun?.add(id);
      this.#interstitials.set(id, now);
    }
    for (const id of breaksIn(announced)) expect(listed.has(id), `${id} has no interstitial\n${text}`).toBe(true);
    for (const [id, known] of this.#interstitials) {
      if (listed.has(id)) continue;
      const start = Date.parse(JSON.parse(known['START-DATE']!));
      const end = start + 1000 * Number(known['X-PLAYOUT-LIMIT'] ?? known['PLANNED-DURATION']);
      // Audio of the content after a break may start before its end.
      const isShown = segments.some(({ date }) => date >= start && date < end - 24);
      expect(isShown, `${id} is not listed, but its break is\n${text}`).toBe(false);
      // HLS lists a break one segment before DASH does: in between, it may be ended.
      const isReplaced = this.#replacements.has(breakUrl(id)) || 'X-PLAYOUT-LIMIT' in known;
      if (this.#begun?.has(id)) expect(isReplaced, `${id} is listed in HLS only`).toBe(true);
      this.#interstitials.delete(id);
      this.#gone.add(id);
    }
  }

  /** A Period replaces the breaks that start in it, for as long as it is listed: the same as in HLS (law 2). */
  #checkReplacements(guided: readonly SeenPeriod[], plain: readonly SeenPeriod[]): void {
    // An interstitial starts up to 16 ms before its break.
    const isWhole = ({ id, duration }: Announced) =>
      Math.abs(Number(this.#interstitials.get(id)?.['PLANNED-DURATION']) - duration) < 0.02;
    plain.forEach(({ announced }, index) => {
      const { id, alternatives } = guided[index]!;
      const starting = announced.filter((one) => one.signal === undefined && isWhole(one));
      expect(
        alternatives.map(({ uri, start, duration }) => ({ uri, start, duration })),
        `the breaks of Period ${id}`,
      ).toEqual(starting.map((one) => ({ uri: breakUrl(one.id), start: one.start, duration: one.duration })));
      for (const { uri, text } of alternatives) {
        expect(text, `${uri} has changed`).toBe(this.#replacements.get(uri) ?? text);
        this.#replacements.set(uri, text);
      }
    });
  }
}
