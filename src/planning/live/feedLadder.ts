// SPDX-License-Identifier: Apache-2.0
// The ladder of a live feed, and the rendition of the origin that plays on each rung. Both are fixed while the feed is on air.

import type { PlayableOrigin } from '../../ingest/live/originAnalysis.ts';
import { defined } from '../../invariant.ts';
import type { RungSource } from '../../live/feed.ts';
import type { Asset, Rendition } from '../../timeline/asset/asset.ts';
import { hasVideo } from '../../timeline/asset/asset.ts';
import { audioFault, isMpegAudio } from '../../timeline/asset/mpegAudio.ts';
import { anyFormatFault } from '../../timeline/ladder/formatFault.ts';
import type { Ladder, Rung } from '../../timeline/ladder/ladder.ts';
import { fitToLadder, ladderOf } from '../../timeline/ladder/ladderOf.ts';
import { ofRung } from '../../timeline/programme/span.ts';

export type LiveFeedLadder = Exclude<ReturnType<typeof liveFeedLadder>, string>;

/**
 * Subtitles of the origin are listed as they are: WebVTT or TTML in HLS, fragmented MP4 in DASH. Ads have text in the same
 * container, which for wvtt in HLS is WebVTT.
 */
const isListedText = ({ container, codecs }: Rendition, format: 'hls' | 'dash'): boolean =>
  format === 'dash' ? container === 'fmp4' : container === 'vtt' || codecs.startsWith('stpp');

function withoutOtherText(asset: Asset, format: 'hls' | 'dash'): { asset: Asset; warnings: string[] } {
  const isListed = (rendition: Rendition) => rendition.kind !== 'text' || isListedText(rendition, format);
  const warnings = asset.renditions
    .filter((rendition) => !isListed(rendition))
    .map(({ id, language = 'und', codecs, container }) => {
      const wanted = format === 'hls' ? 'WebVTT segments or fragmented MP4 (stpp)' : 'fragmented MP4 (wvtt or stpp)';
      return `text ${id} (${language}) is left out: subtitles of live ${format.toUpperCase()} must be ${wanted}; got ${codecs || container}`;
    });
  return { asset: { ...asset, renditions: asset.renditions.filter(isListed) }, warnings };
}

function sourceOf({ tracks, id: key, ...described }: Rendition): RungSource {
  const protection = tracks.at(-1)?.protection?.dash;
  return { ...described, key, ...(protection === undefined ? {} : { protection }) };
}

/** DASH has no segments with audio and video. Where a Representation has both, and others have them apart, those are played. */
function withoutMuxed(asset: Asset, { format }: Pick<PlayableOrigin, 'format'>): Asset {
  const apart = asset.renditions.filter(({ kind }) => kind !== 'muxed');
  const has = (kind: Rendition['kind']) => apart.some((one) => one.kind === kind);
  return format === 'dash' && has('video') && has('audio') ? { ...asset, renditions: apart } : asset;
}

type LadderSource = Pick<PlayableOrigin, 'asset' | 'format' | 'targetDuration'> &
  Partial<Pick<PlayableOrigin, 'serves'>>;

/** @returns `warnings`: what is left out of the origin; a sentence if no session could play it */
export function liveFeedLadder(origin: LadderSource) {
  const { asset: listed, warnings } = withoutOtherText(origin.asset, origin.format);
  const asset = withoutMuxed(listed, origin);
  const fault = audioFault(asset);
  if (fault !== undefined) return fault;
  const derived = ladderOf([asset]);
  const planned = { ...derived, targetDuration: Math.max(derived.targetDuration, Math.round(origin.targetDuration)) };
  const fit = fitToLadder(asset, planned);
  if (!fit.ok) return fit.reason;
  const byId = new Map(asset.renditions.map((rendition) => [rendition.id, rendition]));
  // The text that fits is Midroll's own rendition, with the id of the origin's.
  const sources = fit.renditions.map(({ id }) => defined(byId.get(id), 'what fits is of the origin'));
  // On text rungs, ads have the codec of the origin's text; WebVTT files have none.
  const codecsOf = ({ kind, codecs }: Rung, index: number) =>
    kind === 'text' ? ofRung(sources, index).codecs : codecs;
  const rungs = planned.rungs.map((rung, index) => ({ ...rung, codecs: codecsOf(rung, index) }));
  const unplayable = anyFormatFault({ ladder: planned, serves: origin.serves });
  if (unplayable !== undefined)
    return `${unplayable}; let the packager write audio and video apart, or use an HLS playlist of the same stream`;
  const unused = listed.renditions.filter((one) => !sources.includes(one)).map((one) => leftOut(one, sources));
  return { ladder: { ...planned, rungs }, rungs: sources.map(sourceOf), warnings: [...warnings, ...unused] };
}

/**
 * The renditions of an origin for the ladder of a channel that is on air; a sentence if it cannot be played there. The channel
 * serves its own ladder in both formats, so the origin has to.
 */
export function rungsFor(ladder: Ladder, origin: PlayableOrigin): readonly RungSource[] | string {
  const { format, serves, noDash, noHls, targetDuration } = origin;
  if (noHls !== undefined) return `its HLS sessions are not possible: ${noHls}`;
  if (serves === 'hls' && ladder.container === 'fmp4') return `its DASH sessions are not possible: ${noDash}`;
  if (format === 'dash' && ladder.rungs.some(({ kind }) => kind === 'text'))
    return 'its origin must be HLS, because the channel has subtitles, and HLS cannot list those of an MPD; got an MPD';
  if (Math.round(targetDuration) > ladder.targetDuration)
    return `its target duration is ${targetDuration} s, and the longest segment of the channel may last ${ladder.targetDuration} s while it is on air`;
  const asset = withoutMuxed(withoutOtherText(origin.asset, format).asset, origin);
  const fit = fitToLadder(asset, ladder);
  if (!fit.ok) return fit.reason;
  const byId = new Map(asset.renditions.map((rendition) => [rendition.id, rendition]));
  const sources = fit.renditions.flatMap(({ id }) => byId.get(id) ?? []);
  return sources.length === ladder.rungs.length ? sources.map(sourceOf) : 'it has no subtitles, and the channel has';
}

/** Why no rung plays a rendition that could be played alone. */
function leftOut({ id, kind, codecs, language = 'und' }: Rendition, played: readonly Rendition[]): string {
  if (kind === 'muxed' && !played.some((one) => one.kind === kind))
    return `muxed ${id} (${codecs}) is left out: other renditions have audio and video apart`;
  const what = hasVideo(kind) ? `${kind} ${id} (${codecs})` : `${kind} ${id} (${language}, ${codecs})`;
  const rule = hasVideo(kind)
    ? played.some((one) => one.kind === kind && one.codecs.slice(0, 4) === codecs.slice(0, 4))
      ? 'another rendition is like it'
      : 'all video of a channel is alike: the codec of the largest rendition, with or without its audio'
    : isMpegAudio(codecs)
      ? 'channels do not play MPEG audio'
      : 'a channel has one rendition of each language, the best in stereo';
  return `${what} is left out: ${rule}`;
}
