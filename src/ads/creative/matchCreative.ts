// Whether an ad's own renditions may stand in a channel's rungs as they are. Strict on purpose: what does not match is
// conditioned, which always works, while a player that stumbles over one ad loses the viewer. It judges what is told of
// the media; that their segments are what is told shows when they are read (ingest/listCreative).
import { FLICKS_PER_SECOND, type FrameRate, framesToFlicks, ticksToFlicks } from '../../time/units.ts';
import type { Asset, Rendition } from '../../timeline/asset.ts';
import { creativeFrames } from '../../timeline/frameGrid.ts';
import type { Ladder } from '../../timeline/ladder.ts';
import { fitToLadder } from '../../timeline/ladderOf.ts';
import { audioFrameSamples } from './conditionedAsset.ts';
import { matchRung } from './matchRung.ts';

/** A rendition for each rung of pictures or sound, or one plain sentence. */
export type Match =
  | { readonly renditions: readonly Rendition[]; readonly frames: number }
  | { readonly unlike: string };

/** Shorter segments trip players up, above all next to a discontinuity. */
const SHORTEST_SEGMENT = FLICKS_PER_SECOND / 2;

/** @param asset as it was imported */
export function matchCreative(asset: Asset, ladder: Ladder): Match {
  const unlike = presentationMisfit(asset) ?? fitFault(asset, ladder);
  if (unlike !== undefined) return { unlike };
  const renditions: Rendition[] = [];
  for (const rung of ladder.rungs.filter(({ kind }) => kind !== 'text')) {
    const found = matchRung(rung, asset.renditions, ladder.frameRate);
    if (typeof found === 'string') return { unlike: `rung ${rung.id}: ${found}` };
    renditions.push(found);
  }
  const [reference] = renditions;
  if (reference === undefined || reference.kind !== 'video')
    return { unlike: 'it has no pictures of its own to count' };
  const frames = framesOf(reference, ladder.frameRate);
  const wanted = creativeFrames((frames * ladder.frameRate.d) / ladder.frameRate.n, ladder.frameRate);
  if (frames !== wanted) {
    return { unlike: `it lasts ${frames} frames, which is not quite the ${wanted} of the whole second that it means` };
  }
  const duration = framesToFlicks(frames, ladder.frameRate);
  for (const rendition of renditions) {
    const fault = timeFault(rendition, asset, duration);
    if (fault !== undefined) return { unlike: fault };
  }
  return { renditions, frames };
}

function presentationMisfit({ parts, renditions, warnings }: Asset): string | undefined {
  if (warnings.length > 0) return warnings[0];
  if (parts.length !== 1) return `it has ${parts.length} parts with a discontinuity between; one is wanted`;
  const tracks = renditions.map(({ tracks: [track] }) => track!);
  if (tracks.some(({ protection }) => protection !== undefined)) return 'it is encrypted';
  if (tracks.some(({ urls }) => urls.kind === 'ranges' || urls.kind === 'pieces')) {
    return 'its segments are byte ranges of a file, which not every player may ask another host for';
  }
  return undefined;
}

function fitFault(asset: Asset, ladder: Ladder): string | undefined {
  const fit = fitToLadder(asset, ladder);
  if (!fit.ok) return fit.reason;
  if (ladder.container === 'ts' || ladder.layout === 'muxed') {
    return 'picture and sound share its segments, so where its sound begins and ends is not told';
  }
  return undefined;
}

function framesOf({ tracks, timescale }: Rendition, rate: FrameRate): number {
  const { borders } = tracks[0]!;
  return Math.round(((borders.at(-1)! - borders[0]!) * rate.n) / (timescale * rate.d));
}

/** DESIGN's laws of a span: pictures in whole frames, sound that begins and ends within half an audio frame of them. */
function timeFault(rendition: Rendition, { parts: [part] }: Asset, duration: number): string | undefined {
  const { kind, timescale, codecs, tracks, sampleRate = timescale } = rendition;
  const borders = tracks[0]!.borders.map((border) => ticksToFlicks(border, timescale));
  const [first, last] = [borders[0]!, borders.at(-1)!];
  const reach = kind === 'audio' ? (audioFrameSamples(codecs) * FLICKS_PER_SECOND) / sampleRate / 2 : 1;
  const name = kind === 'audio' ? 'the sound' : 'the picture';
  const milliseconds = (value: number): string => `${(value / 705_600).toFixed(1)} ms`;
  if (Math.abs(first - part!.zero) > reach)
    return `${name} begins ${milliseconds(first - part!.zero)} after the picture`;
  if (Math.abs(last - part!.zero - duration) > reach) {
    return `${name} ends ${milliseconds(last - part!.zero - duration)} after its last whole frame`;
  }
  const lengths = borders.subarray(1).map((border, index) => border - borders[index]!);
  const shortest = Math.min(...lengths);
  if (shortest >= SHORTEST_SEGMENT) return undefined;
  return `${name} has a segment of ${milliseconds(shortest)}; half a second is the least`;
}
