// SPDX-License-Identifier: Apache-2.0
// Turns a static MPD into a presentation to be measured: Periods become parts, matching Representations become renditions.
// Reads the segment indexes of on-demand resources, but no media.
import type { Mpd, MpdPeriod, MpdRepresentation } from '../../dash/mpd.ts';
import { type Matched, matchRepresentations } from '../../dash/read/matchRepresentations.ts';
import { readingMpd } from '../../dash/read/readMpd.ts';
import { cutUrls, shownInPeriod } from '../../dash/read/readSegments.ts';
import { defined } from '../../invariant.ts';
import { FLICKS_PER_SECOND } from '../../time/units.ts';
import type { MediaRef, RenditionKind } from '../../timeline/asset/asset.ts';
import { hasAudio, hasVideo } from '../../timeline/asset/asset.ts';
import { segmentUrl } from '../../timeline/asset/segmentUrl.ts';
import type { Origin } from '../ports.ts';
import { createDeadBases } from '../source/deadBases.ts';
import { explainEncryption } from '../source/decryptSegment.ts';
import { inTurns } from '../source/inTurns.ts';
import type { NominalRendition, NominalTrack, Refusal } from '../source/presentation.ts';
import type { MarkedPresentation } from './assetMarkers.ts';
import { readDashIndex, type SegmentIndex } from './dashIndex.ts';

/**
 * @param url of the text, after redirects
 * @returns a refusal names the line or the Representation
 */
export async function readDashPresentation(
  text: string,
  url: string,
  origin: Origin,
): Promise<MarkedPresentation | Refusal> {
  const read = await readWithBases(text, url, origin);
  if ('refused' in read) return read;
  const { mpd, matches } = read;
  const allWarnings = [...read.warnings];
  const empty = mpd.periods.find(({ representations }) => representations.length === 0);
  if (empty) {
    const refused = `${empty.where} must have audio or video that Midroll can play; it has none`;
    return refuse({ code: 'NOTHING_PLAYABLE', refused }, allWarnings);
  }
  const declares = (has: (kind: RenditionKind) => boolean): boolean =>
    mpd.periods.some(({ representations }) => representations.some(({ kind }) => has(kind)));
  const isVideo = declares(hasVideo);
  const kinds = matches.flatMap(([one]) => one?.kind ?? []);
  if (!kinds.some((kind) => (isVideo ? hasVideo(kind) : kind === 'audio'))) {
    return refuse(notInAllPeriods(isVideo ? 'video' : 'audio', mpd.periods.length), allWarnings);
  }
  if (declares(hasAudio) && !kinds.some(hasAudio)) {
    return refuse(notInAllPeriods('audio', mpd.periods.length), allWarnings);
  }

  const index = indexReader(origin);
  const warn = (warning: string): void => {
    allWarnings.push(warning);
  };
  const renditions = await Promise.all(
    matches.map(async (match, number) => {
      const tracks: NominalTrack[] = [];
      for (const [part, representation] of match.entries()) {
        const period = defined(mpd.periods[part], 'a match has a Representation of each Period');
        const track = await trackOf(representation, period, index, warn);
        if ('refused' in track) return { refusal: track, of: representation };
        tracks.push(track);
      }
      return renditionOf(defined(match[0], 'a match has a Representation'), number, tracks);
    }),
  );
  const kept: NominalRendition[] = [];
  const ids = new Set<string>();
  for (const rendition of renditions) {
    if (!('refusal' in rendition)) {
      const id = ids.has(rendition.id) ? `${rendition.id}-${kept.length + 1}` : rendition.id;
      ids.add(id);
      kept.push({ ...rendition, id });
    } else if (rendition.of.kind === 'text') allWarnings.push(`${rendition.refusal.refused}; it is left out`);
    else return refuse(rendition.refusal, allWarnings);
  }
  const periods = mpd.periods.map(({ events = [] }) => events);
  return { url, renditions: kept, warnings: allWarnings, markers: { kind: 'events', periods } };
}

type ReadMpd = Matched & { readonly mpd: Mpd };

/** With the first BaseURLs that work. */
async function readWithBases(text: string, url: string, origin: Origin): Promise<ReadMpd | Refusal> {
  const dead = createDeadBases(origin);
  for (;;) {
    const mpd = await inTurns(text.length, readingMpd(text, url, dead.isDead));
    if ('refused' in mpd) return mpd;
    const { matches, warnings } = matchRepresentations(mpd.periods);
    const used = matches.flat().filter(({ kind }) => kind !== 'text');
    const found = await dead.check(used, ({ segments }) => firstRef(segments));
    if (found === 'again') continue;
    const all = [...mpd.warnings, ...warnings, ...dead.warnings(used)];
    const { hopeless } = found;
    const left = matches.filter((match) => !hopeless.some(({ one }) => match.includes(one)));
    const [first] = hopeless;
    const isEnough = hopeless.every(({ one }) => left.some(([other]) => other?.kind === one.kind));
    if (first !== undefined && !isEnough) return refuse({ code: 'NOT_FETCHED', refused: first.refused }, mpd.warnings);
    return { mpd, matches: left, warnings: [...all, ...hopeless.map(({ refused }) => `${refused}; it is left out`)] };
  }
}

const firstRef = (segments: MpdRepresentation['segments']): MediaRef | undefined =>
  segments.kind === 'indexed' ? { url: segments.url } : segments.count === 0 ? undefined : segmentUrl(segments, 0);

/** Adds the warnings, because what was left out before often explains the refusal. */
const refuse = (refusal: Refusal, warnings: readonly string[]): Refusal => ({
  ...refusal,
  refused: [refusal.refused, ...warnings.slice(0, 5)].join('; '),
});

const notInAllPeriods = (kind: 'video' | 'audio', periods: number): Refusal => ({
  code: 'NOT_IN_ALL_PERIODS',
  refused: `at least one ${kind} Representation must be in all ${periods} Periods; none is`,
});

type ReadIndex = (segments: MpdRepresentation['segments'] & { kind: 'indexed' }) => Promise<SegmentIndex | Refusal>;

/** Reads each index once. Periods may show different ranges of the same resource. */
function indexReader(origin: Origin): ReadIndex {
  const known = new Map<string, Promise<SegmentIndex | Refusal>>();
  return ({ url, indexRange, init }) => {
    const key = JSON.stringify([url, indexRange, init]);
    const reading = known.get(key) ?? readDashIndex(origin, url, indexRange, init);
    known.set(key, reading);
    return reading;
  };
}

async function trackOf(
  { segments, protection, where }: MpdRepresentation,
  period: MpdPeriod,
  readIndex: ReadIndex,
  warn: (warning: string) => void,
): Promise<NominalTrack | Refusal> {
  const encryption = protection.length === 0 ? undefined : { dash: protection };
  if (segments.kind === 'listed') {
    const { kind: _kind, borders: nominalBorders, timescale: nominalTimescale, ...listed } = segments;
    return { ...listed, nominalBorders, nominalTimescale, exact: false, protection: encryption };
  }
  const index = await readIndex(segments);
  if ('refused' in index) {
    const refusal = explainEncryption(index, encryption);
    return { ...refusal, refused: `${where}: ${refusal.refused}` };
  }
  const { borders, timescale, starts, lengths, init } = index;
  const offset = Math.round((segments.presentationTimeOffset * timescale) / segments.timescale);
  const span = period.duration && (period.duration / FLICKS_PER_SECOND) * timescale;
  const cut = shownInPeriod(borders, { offset, span, timescale, edges: period }, (text) => warn(`${where}: ${text}`));
  return {
    init,
    urls: cutUrls({ kind: 'ranges', url: segments.url, starts, lengths }, cut),
    count: cut.end - cut.first,
    nominalBorders: borders.slice(cut.first, cut.end + 1),
    nominalTimescale: timescale,
    exact: true,
    presentationTimeOffset: offset,
    protection: encryption,
  };
}

function renditionOf(first: MpdRepresentation, number: number, tracks: readonly NominalTrack[]): NominalRendition {
  const {
    segments: _segments,
    protection: _protection,
    line: _line,
    sar: _sar,
    bases: _bases,
    id,
    ...declared
  } = first;
  return { ...declared, id: id ?? `${first.kind}-${number + 1}`, tracks };
}
