import type { PackagedTrack } from '../package/packagedMedia.ts';
import { packageTrack, type TrackGrid } from '../package/packageTrack.ts';
import { encodeArguments } from './conditionArguments.ts';
import { type Failure, programFault } from './conditionFailure.ts';
import type { EncodeOrder } from './conditionInput.ts';
import type { EncodePlan } from './conditionPlan.ts';
import type { Ffmpeg, MediaWorkshop, OutputReader } from './conditionPorts.ts';
import { complaint } from './conditionProbe.ts';
import { audioGrid, videoGrid } from './conditionShape.ts';

/** The encoder ended by itself, or what it made was not what was counted: nobody was in a hurry, and the disk has room. */
const BROKE_OFF = new Set(['EXIT_CODE', 'OFF_GRID']);

/**
 * Encodes everything of a plan in one run of the encoder, and stores it as it comes.
 * @param prefix of the names of its files
 */
export async function conditionEncode(
  ffmpeg: Ffmpeg,
  workshop: MediaWorkshop,
  { input, shape }: EncodeOrder,
  plan: EncodePlan,
  threads: number,
  prefix = '',
): Promise<readonly PackagedTrack[] | Failure> {
  const grids: TrackGrid[] = [
    ...plan.videos.map((video) => videoGrid(shape, video)),
    ...plan.audios.map((audio) => audioGrid(shape, audio)),
  ];
  const tracks: PackagedTrack[] = [];
  const outputs = grids.map(
    (grid, index): OutputReader =>
      async (chunks) => {
        const name = `${prefix}${index}.mp4`;
        const file = await workshop.create(name);
        try {
          tracks[index] = { file: name, ...(await packageTrack(chunks, grid, file.write)) };
        } finally {
          await file.close();
        }
      },
  );
  const seconds = (shape.frames * shape.rate.d) / shape.rate.n;
  const result = await ffmpeg.run('ffmpeg', {
    arguments: encodeArguments(input, plan, shape, threads),
    folder: workshop.folder,
    timeoutMs: Math.min(1_800_000, 60_000 + 40_000 * seconds),
    outputs,
  });
  if (result.ok) return tracks;
  const failed = `it could not be encoded: ${result.reason}${complaint(result.said, 'source')}`;
  return {
    failed,
    ...programFault(result, 'NOT_ENCODED'),
    ...(BROKE_OFF.has(result.code ?? '') ? { isUnsteady: true } : {}),
  };
}
