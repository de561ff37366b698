// An ad's clip as one viewer's manifests list it: the same media, at addresses below the viewer's own. Asking for one of
// them is the proof of delivery. They are relative and say nothing of the viewer, so those with the same ads share their
// manifests' text; and they say what lies behind them, so the media are found when the viewer is forgotten.
import type { MediaRef, SegmentUrls } from '../../timeline/asset.ts';
import type { Cell, Clip } from '../../timeline/clip.ts';
import type { StitchedAd } from './decision.ts';

/** What stands before a rung and a segment in the path of a tracked segment. */
const folderOf = ({ adId, mediaId, frames }: StitchedAd): string => `${adId}/${encodeURIComponent(mediaId)}/${frames}`;

function trackedUrls({ track, rendition }: Cell, folder: string): SegmentUrls {
  const suffix = rendition.container === 'ts' ? '.ts' : '.m4s';
  if (track.urls.kind !== 'ranges') return { kind: 'number', prefix: folder, suffix, first: 0, width: 1 };
  const { starts, lengths } = track.urls;
  return { kind: 'numberedRanges', prefix: folder, suffix, starts, lengths };
}

/** Initialisation sections keep their shared address: they show nothing. */
export function trackedClip(clip: Clip, ad: StitchedAd): Clip {
  const cells = clip.cells.map((cell, rung): Cell => {
    // Text says nothing there, and who reads it has not seen the ad.
    if (cell.rendition.kind === 'text') return cell;
    const urls = trackedUrls(cell, `${folderOf(ad)}/${rung}/`);
    return { ...cell, track: { ...cell.track, urls } };
  });
  return { ...clip, cells };
}

export type TrackedSegment = { readonly ad: StitchedAd; readonly rung: number; readonly index: number };

const whole = (text: string): number => (/^\d{1,9}$/.test(text) ? Number(text) : Number.NaN);

/**
 * The segment that the last five parts of a path name, percent-encoding undone; undefined when they name none.
 * @param parts ad, media, frames, rung, name
 */
export function readTrackedPath(parts: readonly string[]): TrackedSegment | undefined {
  if (parts.length !== 5) return undefined;
  const [adId, mediaId, ...rest] = parts as [string, string, string, string, string];
  const name = /^(\d+)\.(m4s|ts)$/.exec(rest[2]!)?.[1] ?? '';
  const [frames, rung, index] = [rest[0]!, rest[1]!, name].map(whole) as [number, number, number];
  if (!/^\d+-\d+-\d+$/.test(adId) || mediaId === '' || Number.isNaN(frames + rung + index)) return undefined;
  return { ad: { adId, mediaId, frames }, rung, index };
}

/** `/m/…` and other addresses from the root are told as seen from a tracked segment: there may be a prefix before both. */
export function redirectTarget({ url }: MediaRef): string {
  return url.replace(/^(\.\.\/)+/, FROM_SEGMENT).replace(/^\/(?!\/)/, FROM_SEGMENT);
}

/** `hls/channel/session` and `ad/media/frames/rung` lie between the root and a segment. */
const FROM_SEGMENT = '../'.repeat(7);
