// The texts of an asset, looked at before anybody is promised them: can they be read, and what do their cue times count
// from? X-TIMESTAMP-MAP is often missing and often wrong; where most cues lie outside of the segments that hold them, it is.
import { FLICKS_PER_MILLI } from '../../time/units.ts';
import type { Asset, CueTime, Rendition } from '../../timeline/asset.ts';
import type { MediaReader } from '../source/mediaReader.ts';
import type { NominalRendition, Refusal } from '../source/presentation.ts';
import { cueShift, parseWebvtt, readTextSegment, type TextPart } from './readTextSegment.ts';

/** Milliseconds by which a cue may miss its segment: manifests round. */
const SLACK = 100;

export type CheckedTexts = Pick<Asset, 'renditions' | 'warnings'>;

/** @param nominal what the manifest says of the renditions, by their ids */
export async function checkTexts(
  asset: Pick<Asset, 'renditions' | 'parts'>,
  nominal: readonly NominalRendition[],
  reader: MediaReader,
): Promise<CheckedTexts> {
  const told = new Map(nominal.map((each) => [each.id, each]));
  const warnings: string[] = [];
  const settled = await Promise.all(
    asset.renditions.map(async (rendition) => {
      if (rendition.kind !== 'text') return rendition;
      const { where, tracks } = told.get(rendition.id)!;
      const isDash = tracks[0]?.presentationTimeOffset !== undefined;
      const isUndivided = tracks.length === 1 && asset.parts.length > 1;
      const candidates: CueTime[] = [...(isDash ? [] : ['media' as const]), isUndivided ? 'asset' : 'part'];
      if (isDash) candidates.push('media');
      const found = await look(rendition, asset.parts, candidates, reader);
      if (!('refused' in found)) {
        if (found.warning !== undefined) warnings.push(`${where}: ${found.warning}`);
        return found.rendition;
      }
      warnings.push(`${where} is left out: ${found.refused}`);
      return undefined;
    }),
  );
  return { renditions: settled.filter((rendition) => rendition !== undefined), warnings };
}

type Found = { readonly rendition: Rendition; readonly warning?: string };

/** The first segment, one from the middle and the last; fragmented MP4 tells its times, there one is enough. */
function samplesOf(rendition: Rendition, parts: Asset['parts']): { text: TextPart; index: number }[] {
  const all = rendition.tracks.flatMap((track, part) =>
    Array.from({ length: track.borders.length - 1 }, (_, index) => ({
      text: { rendition, track, part: parts[part]! },
      index,
    })),
  );
  const places = rendition.container === 'vtt' ? [0, all.length >> 1, all.length - 1] : [0];
  return [...new Set(places)].flatMap((place) => all[place] ?? []);
}

async function look(
  rendition: Rendition,
  parts: Asset['parts'],
  candidates: readonly CueTime[],
  reader: MediaReader,
): Promise<Found | Refusal> {
  const samples = samplesOf(rendition, parts);
  if (samples.length === 0) return { refused: 'it has no segments' };
  if (rendition.container !== 'vtt') {
    const read = await readTextSegment(reader, samples[0]!.text, samples[0]!.index);
    return 'refused' in read ? read : { rendition };
  }
  const inside = new Map<CueTime, number>(candidates.map((candidate) => [candidate, 0]));
  let odd = 0;
  const refusals: Refusal[] = [];
  for (const { text, index } of samples) {
    const read = await readVtt(reader, text, index);
    if ('refused' in read) {
      refusals.push(read);
      continue;
    }
    odd += read.odd;
    for (const candidate of candidates) {
      const shift = cueShift(read, text, index, candidate);
      const [from, to] = windowOf(text, index);
      const hits = read.cues.filter(({ start, end }) => end + shift > from - SLACK && start + shift < to + SLACK);
      inside.set(candidate, inside.get(candidate)! + hits.length);
    }
  }
  if (refusals.length === samples.length) return refusals[0]!;
  const [first] = candidates;
  const cueTime = candidates.reduce((best, each) => (inside.get(each)! > inside.get(best)! ? each : best), first!);
  const warning = warningOf(refusals[0], odd, cueTime === first ? undefined : cueTime);
  const said = cueTime === 'media' ? rendition : { ...rendition, cueTime };
  return { rendition: said, ...(warning === undefined ? {} : { warning }) };
}

async function readVtt(reader: MediaReader, { rendition, track }: TextPart, index: number) {
  const { borders, urls, protection } = track;
  const read = await reader.whole(
    {
      ...{ urls, count: borders.length - 1, nominalBorders: borders, nominalTimescale: rendition.timescale },
      ...{ exact: true, ...(protection && { protection }) },
    },
    index,
  );
  return 'refused' in read ? read : parseWebvtt(read.bytes);
}

/** Milliseconds after the start of the part between which a segment of the source lies. */
function windowOf({ track: { borders }, rendition: { timescale }, part }: TextPart, index: number): [number, number] {
  const after = (ticks: number): number => (ticks * 1000) / timescale - part.zero / FLICKS_PER_MILLI;
  return [after(borders[index]!), after(borders[index + 1]!)];
}

const meanings: Readonly<Record<CueTime, string>> = {
  media: 'media time',
  part: 'the start of its part',
  asset: 'the start of the asset',
};

function warningOf(refusal: Refusal | undefined, odd: number, cueTime: CueTime | undefined): string | undefined {
  const said = [
    ...(refusal === undefined ? [] : [`what can't be read shows no text: ${refusal.refused}`]),
    ...(odd > 0 ? [`${odd} cues of the segments looked at can't be read and are not shown`] : []),
    ...(cueTime === undefined
      ? []
      : [
          `its cue times are outside of their segments unless they count from ${meanings[cueTime]}, so they are taken to`,
        ]),
  ];
  return said.length > 0 ? said.join('; ') : undefined;
}
