// Text as channels show it: Midroll serves it itself, in segments that begin and end with those of the pictures, however
// the source cut it. So every law that holds for the pictures' segments holds for those of the text. Where the source's own
// text lies is not told here; whoever answers a request for a segment looks it up by the asset's key.
import type { Asset, Rendition, Track } from './asset.ts';
import type { Cell } from './clip.ts';
import { MEDIA_BASE } from './mediaBase.ts';
import { hasVideo } from './renditionKind.ts';

/** The rendition whose borders text has: the first with pictures, else the first. */
export const textGrid = ({ renditions }: Pick<Asset, 'renditions'>): Rendition =>
  renditions.find(({ kind }) => hasVideo(kind)) ?? renditions.find(({ kind }) => kind === 'audio')!;

/** Stands in URLs for text that says nothing. */
export const NO_TEXT = 'e';

/**
 * @param grid whose borders it has
 * @param folder where the segments of a part lie: `…/m/…/`
 */
export const textRendition = (id: string, grid: Rendition, folder: (part: number) => string): Rendition => ({
  id,
  kind: 'text',
  container: 'vtt',
  codecs: 'wvtt',
  bandwidth: 0,
  averageBandwidth: 0,
  timescale: grid.timescale,
  tracks: grid.tracks.map(
    ({ borders }, part): Track => ({
      borders,
      urls: { kind: 'number', prefix: folder(part), suffix: '.vtt', first: 0, width: 1 },
    }),
  ),
});

const served = new WeakMap<Asset, Map<string, Rendition>>();

/**
 * @param index the text's place in the asset's renditions; undefined for text that says nothing
 * @param key what the asset is stored under
 */
export function servedText(asset: Asset, index: number | undefined, key: string): Rendition {
  const folder = `${MEDIA_BASE}/m/${key}/`;
  const name = `${index ?? NO_TEXT}`;
  const known = served.get(asset) ?? new Map<string, Rendition>();
  served.set(asset, known);
  const made = known.get(folder + name) ?? make(asset, index, (part) => `${folder}${part}/${name}/`);
  known.set(folder + name, made);
  return made;
}

function make(asset: Asset, index: number | undefined, folder: (part: number) => string): Rendition {
  const grid = textGrid(asset);
  if (index === undefined) return textRendition(NO_TEXT, grid, folder);
  const { id, language, name, isForced, characteristics } = asset.renditions[index]!;
  return {
    ...textRendition(id, grid, folder),
    ...(language === undefined ? {} : { language }),
    ...(name === undefined ? {} : { name }),
    ...(isForced ? { isForced } : {}),
    ...(characteristics === undefined ? {} : { characteristics }),
  };
}

const fragmented = new WeakMap<Cell, Cell>();

/**
 * The cell as DASH has it: segments of WebVTT are nothing that its players agree on, so the same text is told in
 * fragmented MP4 (ISO/IEC 14496-30), beside it. Other cells are what they are.
 */
export function inFragments(cell: Cell): Cell {
  const { urls } = cell.track;
  if (cell.rendition.container !== 'vtt' || urls.kind !== 'number') return cell;
  const known = fragmented.get(cell);
  if (known !== undefined) return known;
  const track: Track = { ...cell.track, init: { url: `${urls.prefix}init.mp4` }, urls: { ...urls, suffix: '.m4s' } };
  const made = { ...cell, track };
  fragmented.set(cell, made);
  return made;
}
