// A static MPD as the presentation that measuring starts from: Periods become parts, Representations that belong
// together renditions. Reads the segment indexes of on-demand resources, and no media.

import type { MpdPeriod, MpdRepresentation } from '../../dash/mpd.ts';
import { matchRepresentations } from '../../dash/read/matchRepresentations.ts';
import { readMpd } from '../../dash/read/readMpd.ts';
import { cutUrls, withinPeriod } from '../../dash/withinPeriod.ts';
import { FLICKS_PER_SECOND } from '../../time/units.ts';
import type { Origin } from '../ports.ts';
import { explainEncryption } from '../source/describeEncryption.ts';
import type { NominalRendition, NominalTrack, Presentation, Refusal } from '../source/presentation.ts';
import { readDashIndex, type SegmentIndex } from './dashIndex.ts';

/**
 * @param url where the text was read from, after redirects
 * @returns a refusal names the line or the Representation, what was wanted and what came
 */
export async function readDashPresentation(text: string, url: string, origin: Origin): Promise<Presentation | Refusal> {
  const mpd = readMpd(text, url);
  if ('refused' in mpd) return mpd;
  const { matches, warnings } = matchRepresentations(mpd.periods);
  const said = [...mpd.warnings, ...warnings];
  const without = mpd.periods.find(({ representations }) => representations.length === 0);
  if (without) {
    const reason = `${without.where} must hold audio or video that can be played, it holds none`;
    return refuse({ code: 'NOTHING_PLAYABLE', refused: reason }, said);
  }
  const hasVideo = mpd.periods.some(({ representations }) => representations.some(({ kind }) => isPicture(kind)));
  if (!matches.some(([one]) => (hasVideo ? isPicture(one!.kind) : one!.kind === 'audio'))) {
    return refuse(inNotAll(hasVideo ? 'video' : 'audio', mpd.periods.length), said);
  }
  const isHeard = mpd.periods.some(({ representations }) => representations.some(({ kind }) => isSound(kind)));
  if (isHeard && !matches.some(([one]) => isSound(one!.kind))) {
    return refuse(inNotAll('audio', mpd.periods.length), said);
  }

  const index = indexReader(origin);
  const warn = (warning: string): void => {
    said.push(warning);
  };
  const renditions = await Promise.all(
    matches.map(async (match, number) => {
      const tracks: NominalTrack[] = [];
      for (const [part, representation] of match.entries()) {
        const track = await trackOf(representation, mpd.periods[part]!, index, warn);
        if ('refused' in track) return { refusal: track, of: representation };
        tracks.push(track);
      }
      return renditionOf(match[0]!, number, tracks);
    }),
  );
  const kept: NominalRendition[] = [];
  const ids = new Set<string>();
  for (const rendition of renditions) {
    if (!('refusal' in rendition)) {
      const id = ids.has(rendition.id) ? `${rendition.id}-${kept.length + 1}` : rendition.id;
      ids.add(id);
      kept.push({ ...rendition, id });
    } else if (rendition.of.kind === 'text') said.push(`${rendition.refusal.refused}; it is left out`);
    else return refuse(rendition.refusal, said);
  }
  return { url, partCount: mpd.periods.length, renditions: kept, warnings: said };
}

const isPicture = (kind: string): boolean => kind === 'video' || kind === 'muxed';
const isSound = (kind: string): boolean => kind === 'audio' || kind === 'muxed';

/** What was left out before often is why nothing remains, so it is told too. */
const refuse = (refusal: Refusal, warnings: readonly string[]): Refusal => ({
  ...refusal,
  refused: [refusal.refused, ...warnings.slice(0, 5)].join('; '),
});

const inNotAll = (kind: 'video' | 'audio', periods: number): Refusal => ({
  code: 'NOT_IN_ALL_PERIODS',
  refused: `no ${kind} Representation is in all ${periods} Periods`,
});

type ReadIndex = (segments: MpdRepresentation['segments'] & { kind: 'indexed' }) => Promise<SegmentIndex | Refusal>;

/** Periods may show parts of one resource: its index is read once. */
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
  const guarded: Pick<NominalTrack, 'protection'> = protection.length === 0 ? {} : { protection: { dash: protection } };
  if (segments.kind === 'listed') {
    const { init, urls, count, borders, timescale, presentationTimeOffset, isLastImplied } = segments;
    return {
      ...(init && { init }),
      urls,
      count,
      nominalBorders: borders,
      nominalTimescale: timescale,
      exact: false,
      presentationTimeOffset,
      ...(isLastImplied && { isLastImplied }),
      ...guarded,
    };
  }
  const index = await readIndex(segments);
  if ('refused' in index) {
    const refusal = explainEncryption(index, guarded.protection);
    return { ...refusal, refused: `${where}: ${refusal.refused}` };
  }
  const { borders, timescale, starts, lengths, init } = index;
  const offset = Math.round((segments.presentationTimeOffset * timescale) / segments.timescale);
  const span = period.duration && (period.duration / FLICKS_PER_SECOND) * timescale;
  const cut = withinPeriod(borders, offset, span, period);
  if (cut.isOutside) warn(`${where}: no segment lies in its Period, going by presentationTimeOffset; all are taken`);
  return {
    init,
    urls: cutUrls({ kind: 'ranges', url: segments.url, starts, lengths }, cut),
    count: cut.end - cut.first,
    nominalBorders: borders.slice(cut.first, cut.end + 1),
    nominalTimescale: timescale,
    exact: true,
    presentationTimeOffset: offset,
    ...guarded,
  };
}

function renditionOf(first: MpdRepresentation, number: number, tracks: readonly NominalTrack[]): NominalRendition {
  const { segments: _segments, protection: _protection, line: _line, sar: _sar, id, ...said } = first;
  return { ...said, id: id ?? `${first.kind}-${number + 1}`, tracks };
}
