// SPDX-License-Identifier: Apache-2.0
// Checks the subtitles of an asset before it is used: whether they can be read, and what their cue times count from.
// X-TIMESTAMP-MAP is often missing or wrong. If most cues are outside of the segments that contain them, it is wrong.
import { defined } from '../../invariant.ts';
import { numberAt } from '../../time/row.ts';
import { FLICKS_PER_MILLI } from '../../time/units.ts';
import type { Asset, CueTime, Rendition } from '../../timeline/asset/asset.ts';
import { inTurns } from '../source/inTurns.ts';
import type { MediaReader } from '../source/mediaReader.ts';
import { asNominal, type NominalRendition, type Refusal } from '../source/presentation.ts';
import { cueShift, parseWebvtt, readTextSegment, type TextPart } from './readTextSegment.ts';

/** Milliseconds by which a cue may be outside of its segment, because manifests round. */
const TOLERANCE_MS = 100;

type CheckedTexts = Pick<Asset, 'renditions' | 'warnings'>;

/** @param nominal the renditions in the manifest, with the same ids */
export async function checkTexts(
  asset: Pick<Asset, 'renditions' | 'parts'>,
  nominal: readonly NominalRendition[],
  reader: MediaReader,
): Promise<CheckedTexts> {
  const declared = new Map(nominal.map((each) => [each.id, each]));
  const warnings: string[] = [];
  const renditions = await Promise.all(
    asset.renditions.map(async (rendition) => {
      if (rendition.kind !== 'text') return rendition;
      const { where, tracks } = defined(declared.get(rendition.id), 'every rendition is in the manifest');
      const isDash = tracks[0]?.presentationTimeOffset !== undefined;
      const isUndivided = tracks.length === 1 && asset.parts.length > 1;
      const candidates: CueTime[] = [...(isDash ? [] : ['media' as const]), isUndivided ? 'asset' : 'part'];
      if (isDash) candidates.push('media');
      const checked = await checkText(rendition, asset.parts, candidates, reader);
      if (!('refused' in checked)) {
        if (checked.warning !== undefined) warnings.push(`${where}: ${checked.warning}`);
        return checked.rendition;
      }
      warnings.push(`${where} is left out: ${checked.refused}`);
      return undefined;
    }),
  );
  return { renditions: renditions.filter((rendition) => rendition !== undefined), warnings };
}

type CheckedText = { readonly rendition: Rendition; readonly warning?: string };

/** The first, a middle and the last segment. One is enough in fragmented MP4, which has media times. */
function samplesOf(rendition: Rendition, parts: Asset['parts']): { text: TextPart; index: number }[] {
  const all = parts.flatMap((part, at) => {
    const track = defined(rendition.tracks[at], 'all renditions of an asset have its parts');
    return Array.from({ length: track.borders.length - 1 }, (_, index) => ({
      text: { rendition, track, part },
      index,
    }));
  });
  const places = rendition.container === 'vtt' ? [0, all.length >> 1, all.length - 1] : [0];
  return [...new Set(places)].flatMap((place) => all[place] ?? []);
}

async function checkText(
  rendition: Rendition,
  parts: Asset['parts'],
  candidates: readonly CueTime[],
  reader: MediaReader,
): Promise<CheckedText | Refusal> {
  const samples = samplesOf(rendition, parts);
  const [sample] = samples;
  if (sample === undefined) return { refused: 'it has no segments' };
  if (rendition.container !== 'vtt') {
    const read = await readTextSegment(reader, sample.text, sample.index);
    return 'refused' in read ? read : { rendition };
  }
  const counted = candidates.map((cueTime) => ({ cueTime, inside: 0 }));
  let malformed = 0;
  const refusals: Refusal[] = [];
  for (const { text, index } of samples) {
    const read = await readVtt(reader, text, index);
    if ('refused' in read) {
      refusals.push(read);
      continue;
    }
    malformed += read.malformed;
    for (const candidate of counted) {
      const shift = cueShift(read, text, index, candidate.cueTime);
      const [from, to] = windowOf(text, index);
      const hits = read.cues.filter(
        ({ start, end }) => end + shift > from - TOLERANCE_MS && start + shift < to + TOLERANCE_MS,
      );
      candidate.inside += hits.length;
    }
  }
  const [refusal] = refusals;
  if (refusal !== undefined && refusals.length === samples.length) return refusal;
  const { cueTime } = counted.reduce((best, each) => (each.inside > best.inside ? each : best));
  const warning = warningOf(refusal, malformed, cueTime === candidates[0] ? undefined : cueTime);
  const resolved = cueTime === 'media' ? rendition : { ...rendition, cueTime };
  return { rendition: resolved, ...(warning === undefined ? {} : { warning }) };
}

async function readVtt(reader: MediaReader, { rendition, track }: TextPart, index: number) {
  const read = await reader.whole(asNominal(track, rendition.timescale), index);
  return 'refused' in read ? read : inTurns(read.bytes.length, parseWebvtt(read.bytes));
}

/** The start and end of a segment of the source, in milliseconds after the start of the part. */
function windowOf({ track: { borders }, rendition: { timescale }, part }: TextPart, index: number): [number, number] {
  const after = (ticks: number): number => (ticks * 1000) / timescale - part.zero / FLICKS_PER_MILLI;
  return [after(numberAt(borders, index)), after(numberAt(borders, index + 1))];
}

const zeros: Readonly<Record<CueTime, string>> = {
  media: 'media time',
  part: 'the start of its part',
  asset: 'the start of the asset',
};

function warningOf(refusal: Refusal | undefined, malformed: number, cueTime: CueTime | undefined): string | undefined {
  const warnings = [
    ...(refusal === undefined ? [] : [`segments that cannot be read show no text: ${refusal.refused}`]),
    ...(malformed > 0 ? [`${malformed} malformed cues in the checked segments are not shown`] : []),
    ...(cueTime === undefined
      ? []
      : [
          `its cues are outside of their segments unless their times count from ${zeros[cueTime]}, so Midroll counts them from there; correct X-TIMESTAMP-MAP`,
        ]),
  ];
  return warnings.length > 0 ? warnings.join('; ') : undefined;
}
