// SPDX-License-Identifier: Apache-2.0
// Measures the renditions of a manifest, and decides which of those that cannot be read are left out.
import type { RenditionKind } from '../../timeline/asset/asset.ts';
import { type MeasuredRendition, measureRendition } from '../measure/measureRendition.ts';
import type { TrackOpener } from '../measure/openTrack.ts';
import type { SegmentSizes } from '../measure/segmentSizes.ts';
import type { MediaReader } from '../source/mediaReader.ts';
import type { NominalRendition, Refusal } from '../source/presentation.ts';
import { refuseUnread } from '../source/transportStreams.ts';

/** Whether an asset can do without a rendition if it has another one. It can always do without text. */
const canReplace = (other: RenditionKind, missing: RenditionKind): boolean =>
  missing === 'text' || other === missing || other === 'muxed';

/** Refuses an asset whose only audio or only video is in streams that cannot be read. */
function refuseUnreadOnly(kept: readonly MeasuredRendition[]): Refusal | undefined {
  for (const kind of ['audio', 'video'] as const) {
    const has = kept.some(({ rendition }) => rendition.kind === kind || rendition.kind === 'muxed');
    const unread = kept.flatMap((each) => each.unread.filter((stream) => stream.kind === kind));
    if (!has && unread.length > 0) return refuseUnread(`its only ${kind} stream is`, unread.slice(0, 1));
  }
  return undefined;
}

/** Leaves out a rendition that cannot be measured if another one can replace it. */
export async function measureAll(
  renditions: readonly NominalRendition[],
  reader: MediaReader,
  open: TrackOpener,
  sizes: SegmentSizes,
): Promise<{ renditions: MeasuredRendition[]; warnings: string[] } | Refusal> {
  const all = await Promise.all(renditions.map((rendition) => measureRendition(rendition, reader, open, sizes)));
  const kept: MeasuredRendition[] = [];
  const warnings: string[] = [];
  for (const [i, each] of all.entries()) {
    const { kind, where } = renditions[i]!;
    if (!('refused' in each)) {
      kept.push(each);
      warnings.push(...each.unread.map(({ name }) => `${where}: its ${name} stream is left out; it cannot be read`));
    } else if (renditions.some((other, j) => !('refused' in all[j]!) && canReplace(other.kind, kind))) {
      warnings.push(`${where} is left out: ${each.refused}`);
    } else return { ...each, refused: `${where}: ${each.refused}` };
  }
  if (kept.some(({ rendition }) => rendition.kind !== 'text'))
    return refuseUnreadOnly(kept) ?? { renditions: kept, warnings };
  const refused = ['it must have video or audio that Midroll can read', ...warnings.slice(0, 5)].join('; ');
  return { code: 'NOTHING_PLAYABLE', refused };
}
