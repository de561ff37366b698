// SPDX-License-Identifier: Apache-2.0
// What will not play as it was meant, before a playlist is saved. Saving stays possible: a source may be fixed later.
import type { ImportResponse, SourceMix } from '../../../src/http/contract/consoleContract.ts';
import { nearestPoint } from '../../../src/scheduling/breakRules.ts';
import { formatDuration, formatTimecode } from '../format/time.ts';
import { MAX_MOVE, POST_ROLL, toSeconds } from './cuePlacement.ts';
import { type DraftItem, itemName, type PlaylistDraft } from './playlistDraft.ts';

export type DraftWarning = {
  /** The path of the field, as in errors of the API. */
  readonly path: string;
  readonly text: string;
};
type Checks = ReadonlyMap<string, ImportResponse>;

function sourceWarning(item: DraftItem, path: string, type: PlaylistDraft['type'], checks: Checks): DraftWarning[] {
  if (item.sourceType === 'placeholder')
    return type === 'vod' ? [] : [{ path, text: 'Linear channels cannot play a placeholder.' }];
  const url = item.url.trim();
  if (url === '') return [{ path: `${path}/url`, text: 'No source URL.' }];
  const check = checks.get(url);
  return check?.state === 'failed' ? [{ path: `${path}/url`, text: check.reason ?? 'Not playable.' }] : [];
}

function breakWarnings(item: DraftItem, path: string, check: ImportResponse | undefined): DraftWarning[] {
  const duration = check?.duration ?? item.duration;
  const cutPoints = check?.state === 'ready' ? (check.cutPoints ?? []) : undefined;
  const warnings: DraftWarning[] = [];
  const landed = new Map<number, number>();
  item.cuePoints.forEach((cue, index) => {
    const field = (name: string) => `${path}/cuePoints/${index}/${name}`;
    const isPostRoll = cue.spliceTime === POST_ROLL;
    if (duration === undefined && !isPostRoll && item.spliceType === 'percent') return;
    const at = toSeconds(cue.spliceTime, item.spliceType, duration ?? 0);
    if (Number.isNaN(at)) return;
    const number = `Break ${index + 1}`;
    if (duration !== undefined && at > duration)
      warnings.push({
        path: field('spliceTime'),
        text: `${number} is at ${formatTimecode(at)}, after the end (${formatTimecode(duration)}).`,
      });
    else if (cutPoints !== undefined && !isPostRoll) {
      const point = nearestPoint(cutPoints, at);
      if (point === undefined)
        warnings.push({ path: field('spliceTime'), text: `${number} cannot be placed: the source has no cut point.` });
      else if (Math.abs(point - at) > MAX_MOVE)
        warnings.push({
          path: field('spliceTime'),
          text: `${number} moves by ${formatDuration(Math.abs(point - at))} to the nearest cut point, ${formatTimecode(point)}.`,
        });
    }
    const place = isPostRoll ? POST_ROLL : cutPoints === undefined ? at : (nearestPoint(cutPoints, at) ?? at);
    const other = landed.get(place);
    if (other === undefined) landed.set(place, index);
    else warnings.push({ path: field('spliceTime'), text: `${number} is at the same place as break ${other + 1}.` });
    if (duration !== undefined && cue.maxDuration !== undefined && cue.maxDuration > duration)
      warnings.push({
        path: field('maxDuration'),
        text: `${number} (${formatDuration(cue.maxDuration)}) is longer than the item (${formatDuration(duration)}).`,
      });
  });
  return warnings;
}

/** `2. Trailer` */
const numbered = (item: DraftItem, index: number): string => `${index + 1}. ${itemName(item)}`;

/** The sources that are known to be playable, each once, in the order of the items. */
export const playableUrls = ({ items }: PlaylistDraft, checks: Checks): string[] => [
  ...new Set(items.map(({ url }) => url.trim()).filter((url) => checks.get(url)?.state === 'ready')),
];

/** Items that a channel would leave out because they are unlike the first. */
function mixWarning(item: DraftItem, path: string, items: readonly DraftItem[], mix: SourceMix | undefined) {
  const isOf = (url: string | undefined) => (one: DraftItem) => one.sourceType === 'url' && one.url.trim() === url;
  const misfit = mix?.misfits.find(({ url }) => isOf(url)(item));
  const first = items.findIndex(isOf(mix?.first));
  const other = items[first];
  if (misfit === undefined || other === undefined) return [];
  const text =
    `Cannot be on one channel with ${numbered(other, first)}: ${misfit.reason}. ` +
    'Encode and package both alike, or move one to another playlist.';
  return [{ path: `${path}/url`, text }];
}

/**
 * The warnings in the order of the items.
 * @param checks results of source checks by URL
 * @param mix which sources differ from the first
 */
export function draftWarnings(
  { items, isEnabled, type }: PlaylistDraft,
  checks: Checks,
  mix?: SourceMix,
): DraftWarning[] {
  if (items.length === 0)
    return isEnabled ? [{ path: '/contents', text: 'The playlist is enabled, but has no items.' }] : [];
  return items.flatMap((item, index) => {
    const path = `/contents/${index}`;
    const check = checks.get(item.url.trim());
    const found = [
      ...sourceWarning(item, path, type, checks),
      ...mixWarning(item, path, items, mix),
      ...breakWarnings(item, path, check),
    ];
    return found.map(({ text, ...rest }) => ({ ...rest, text: `${numbered(item, index)}: ${text}` }));
  });
}

/** The sources that have not been checked yet. */
export const uncheckedUrls = ({ items }: PlaylistDraft, checks: Checks): string[] => [
  ...new Set(
    items.flatMap(({ sourceType, url }) => {
      const text = url.trim();
      return sourceType === 'url' && text !== '' && !checks.has(text) ? [text] : [];
    }),
  ),
];
