// SPDX-License-Identifier: Apache-2.0
// Makes the media of one creative or one slate for one ladder: fetches the source, examines, encodes and packages it, or uses
// it as is. The sub-folders contain the steps; which creatives are made, and when, is left to `creatives`.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { creativeStart } from '../../ads/creative/conditionedAsset.ts';
import type { ConditionedRung, CreativeSource } from '../../ads/creative/creative.ts';
import { defined } from '../../invariant.ts';
import { TS_HEADER, TS_PACKET } from '../../mpegts/packet.ts';
import { framesToSeconds } from '../../time/frameRate.ts';
import { MPEG_TIMESCALE } from '../../time/mpegClock.ts';
import { numberAt } from '../../time/row.ts';
import type { Ladder } from '../../timeline/ladder/ladder.ts';
import { type ImportResult, importAsset } from '../import/importAsset.ts';
import { type SegmentRate, segmentRates } from '../measure/estimateBandwidth.ts';
import type { MediaDraft, MediaStore } from '../package/mediaStore.ts';
import { packRows } from '../package/packAsset.ts';
import { type PackagedMedia, type PackagedTrack, tracksOf } from '../package/packagedMedia.ts';
import { packageTrack, type TrackGrid } from '../package/packageTrack.ts';
import type { Ffmpeg, Origin, OutputReader } from '../ports.ts';
import { cardInput, encodeArguments, largestOf } from './encode/encodeArguments.ts';
import { joinParts, normalizeFiles } from './encode/normalizeFiles.ts';
import { type EncodeJob, lastMessage, type PreparedEncode, prepareEncode } from './encode/prepareEncode.ts';
import { drawSlateCard } from './encode/slateCard.ts';
import { type Failure, isFailure, permanent, programFault, transient } from './fetch/conditionFailure.ts';
import { fetchSource, isManifest, type SourceFile } from './fetch/fetchSource.ts';
import { listCreative, type Unlisted } from './listed/listCreative.ts';
import { audioGrid, type EncodePlan, mediaId, planEncode, slateLoopShape, videoGrid } from './plan/planEncode.ts';

export type ConditionTools = {
  readonly origin: Origin;
  readonly ffmpeg: Ffmpeg;
  readonly threads: number;
  /** If defined, creatives that match the ladder are used as is; `httpsOnly` restricts that to URLs on https. */
  readonly asIs?: { readonly httpsOnly: boolean } | undefined;
  readonly mediaStore: Pick<MediaStore, 'find' | 'load'>;
  readonly limits?: ConditionLimits | undefined;
};
export type ConditionLimits = {
  /** The size limit of a creative. */
  readonly maxBytes: number;
  readonly maxSeconds: number;
};
export type ConditionOrder = {
  readonly id: string;
  readonly kind: 'creative' | 'slate';
  /** Absent for the built-in slate. */
  readonly source?: CreativeSource;
  readonly ladder: Ladder;
};

const DEFAULT_LIMITS: ConditionLimits = { maxBytes: 2 ** 30, maxSeconds: 600 };
/** Seconds that are looped of a customer's slate, and of the built-in one, which is a still picture. */
const SLATE_SECONDS = 30;
const CARD_SECONDS = 2;
const CARD_FILE = 'card.rgb';

/**
 * @param inTurn runs the tasks that need the processor. Fetching, which waits for servers, is done outside of it
 * @returns media that are in the draft and not yet published, or media of the same bytes that are in the store already
 */
export async function conditionMedia(
  { id, kind, source, ladder }: ConditionOrder,
  draft: MediaDraft,
  tools: ConditionTools,
  inTurn: <Result>(job: () => Promise<Result>) => Promise<Result>,
): Promise<PackagedMedia | Failure> {
  const plan = planEncode(ladder);
  if ('refused' in plan) return permanent('NO_ENCODER', plan.refused);
  const missing = await tools.ffmpeg.missing();
  if (missing !== undefined) return transient('NO_FFMPEG', missing);
  const limits = tools.limits ?? DEFAULT_LIMITS;
  const maxSeconds = kind === 'slate' ? SLATE_SECONDS : limits.maxSeconds;
  const imported = source !== undefined && isManifest(source) ? await importAsset(source.url, tools.origin) : undefined;
  const isListable = kind === 'creative' && source?.asIs !== false;
  const listed = imported !== undefined && isListable ? await listedMedia(id, imported, ladder, tools) : undefined;
  if (listed !== undefined && !('unlike' in listed)) return listed;
  const target = { draft, origin: tools.origin, maxSeconds: maxSeconds + 2, maxBytes: limits.maxBytes };
  const files = source ? await fetchSource(source, imported, ladder, target) : [];
  if (isFailure(files)) return files;
  // The reason for not using it as is is stored with the media. Another source of the same bytes may have another reason.
  const content = [...(source ? await contentOf(files, draft.folder) : []), ...(listed ? [listed.unlike] : [])];
  const contentId = source ? mediaId(kind, content.join(' '), ladder) : id;
  await tools.mediaStore.load([contentId]);
  const existing = tools.mediaStore.find(contentId);
  if (existing !== undefined) return existing;
  return inTurn(async () => {
    const job: EncodeJob = { plan, ladder, folder: draft.folder, ffmpeg: tools.ffmpeg, threads: tools.threads };
    const encodeFiles = async (from: readonly SourceFile[], prefix?: string): Promise<Encoded | Failure> => {
      const prepared = await prepareEncode(kind, from, maxSeconds, job);
      return isFailure(prepared) ? prepared : runEncode(draft, prepared, job, prefix);
    };
    const whole = await joinParts(files, job);
    if (isFailure(whole)) return whole;
    const first = source ? await encodeFiles(whole) : await runEncode(draft, await drawCard(draft, ladder, plan), job);
    // If both fail, the first failure is returned.
    const normalized = source && isFailure(first) && first.canNormalize ? await normalizeFiles(whole, job) : undefined;
    const second = normalized && (await encodeFiles(normalized, 'normalized-'));
    const made = second === undefined || isFailure(second) ? first : second;
    if (isFailure(made)) return made;
    const { shape, tracks } = made;
    const { container, frameRate } = ladder;
    const rungs = plan.rungs.map(({ audio, ...rung }) =>
      audio === undefined ? rung : { ...rung, audio: plan.videos.length + audio },
    );
    const media = {
      id: contentId,
      frames: shape.frames,
      startFrame: creativeStart(frameRate),
      rungs: rungs.map((rung) => measureRung(container, tracksOf({ tracks }, rung))),
      ...(listed && { unlike: listed.unlike }),
    };
    return { kind, container, frameRate, media, tracks, rungs };
  });
}

type Encoded = { readonly shape: PreparedEncode['shape']; readonly tracks: readonly PackagedTrack[] };

/** The media of a creative that is used as is, or why it is not. @returns undefined if none is */
async function listedMedia(
  id: string,
  imported: ImportResult,
  ladder: Ladder,
  { origin, asIs, limits = DEFAULT_LIMITS }: ConditionTools,
): Promise<PackagedMedia | Unlisted | undefined> {
  if (asIs === undefined) return undefined;
  const listed = await listCreative(id, imported, ladder, origin, { ...limits, ...asIs });
  if ('unlike' in listed) return listed;
  const content = createHash('sha256').update(JSON.stringify(listed, packRows)).digest('hex');
  return { ...listed, media: { ...listed.media, id: mediaId('creative', `listed:${content}`, ladder) } };
}

/** Identifies the fetched bytes, whatever their URL was. */
async function contentOf(files: readonly SourceFile[], folder: string): Promise<string[]> {
  const hash = createHash('sha256');
  for (const { file, holds } of files) {
    hash.update(`${holds}:`);
    await pipeline(createReadStream(join(folder, file)), hash, { end: false });
  }
  return ['sha256', hash.digest('hex')];
}

/** Draws the picture of the built-in slate at the size of the largest rung. */
async function drawCard(draft: MediaDraft, { frameRate }: Ladder, { videos }: EncodePlan): Promise<PreparedEncode> {
  const shape = slateLoopShape(CARD_SECONDS, frameRate);
  const largest = largestOf(videos);
  if (largest === undefined) return { input: { inputs: [], gain: 0 }, shape };
  const { width, height } = largest;
  const file = await draft.create(CARD_FILE);
  try {
    await drawSlateCard(width, height, file.write);
  } finally {
    await file.close();
  }
  const input = { inputs: cardInput(CARD_FILE, largest), video: '[0:0]format=gbrp,', isStill: true, gain: 0 };
  return { input, shape };
}

/** Bytes that a transport stream adds to a sample: the PES header and on average half a packet of stuffing. */
const TS_OVERHEAD = 110;

/** The attributes of a rung for manifests, measured on its encodes. The size of MPEG-TS is estimated, not muxed. */
function measureRung(container: Ladder['container'], tracks: readonly PackagedTrack[]): ConditionedRung {
  const isTs = container === 'ts';
  const { timescale } = defined(tracks[0], 'a rung plays at least one track');
  const rates = tracks.map((track) => segmentRates(segmentsOf(track, isTs)));
  return {
    codecs: tracks.map(({ codecs }) => codecs).join(','),
    timescale: isTs ? MPEG_TIMESCALE : timescale,
    bandwidth: rates.reduce((sum, { bandwidth }) => sum + bandwidth, 0),
    averageBandwidth: rates.reduce((sum, { averageBandwidth }) => sum + averageBandwidth, 0),
  };
}

const segmentsOf = ({ sizes, counts, unit, timescale }: PackagedTrack, isTs: boolean): SegmentRate[] =>
  sizes.map((size, index) => {
    const samples = numberAt(counts, index);
    const bytes = isTs ? (size * TS_PACKET) / (TS_PACKET - TS_HEADER) + TS_OVERHEAD * samples : size;
    return { bits: 8 * bytes, seconds: (samples * unit) / timescale };
  });

/** The encoder exited with an error, or its output was not exact. Other failures have causes outside of the source. */
const SOURCE_FAULTS = new Set(['EXIT_CODE', 'OFF_GRID']);

/** Makes all encodes of a plan in one run, and stores them while they are written. @param prefix of the file names */
async function runEncode(
  draft: MediaDraft,
  { input, shape }: PreparedEncode,
  { plan, ffmpeg, folder, threads }: EncodeJob,
  prefix = '',
): Promise<Encoded | Failure> {
  const grids: TrackGrid[] = [
    ...plan.videos.map((video) => videoGrid(shape, video)),
    ...plan.audios.map((audio) => audioGrid(shape, audio)),
  ];
  const tracks: PackagedTrack[] = [];
  const outputs = grids.map(
    (grid, index): OutputReader =>
      async (chunks) => {
        const name = `${prefix}${index}.mp4`;
        const file = await draft.create(name);
        try {
          tracks[index] = { file: name, ...(await packageTrack(chunks, grid, file.write)) };
        } finally {
          await file.close();
        }
      },
  );
  const seconds = framesToSeconds(shape.frames, shape.rate);
  const encoding = encodeArguments(input, plan, shape, threads);
  const timeoutMs = Math.min(1_800_000, 60_000 + 40_000 * seconds);
  const result = await ffmpeg.run('ffmpeg', { arguments: encoding, folder, timeoutMs, outputs });
  if (result.ok) return { shape, tracks };
  const failed = `it could not be encoded: ${result.reason}${lastMessage(result.stderr, 'source')}`;
  return { failed, ...programFault(result, 'NOT_ENCODED'), canNormalize: SOURCE_FAULTS.has(result.code ?? '') };
}
