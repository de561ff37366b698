// SPDX-License-Identifier: Apache-2.0
import { framesToSeconds } from '../../../time/frameRate.ts';
import type { MediaDraft } from '../../package/mediaStore.ts';
import type { PackagedTrack } from '../../package/packagedMedia.ts';
import { packageTrack, type TrackGrid } from '../../package/packageTrack.ts';
import type { Ffmpeg, OutputReader } from '../../ports.ts';
import { type Failure, programFault } from '../fetch/conditionFailure.ts';
import type { EncodePlan } from '../plan/planEncode.ts';
import { audioGrid, videoGrid } from '../plan/timeShape.ts';
import { encodeArguments } from './encodeArguments.ts';
import type { PreparedEncode } from './prepareEncode.ts';
import { lastMessage } from './probeFile.ts';

/** The encoder exited with an error, or its output was not exact. Other failures have causes outside of the source. */
const SOURCE_FAULTS = new Set(['EXIT_CODE', 'OFF_GRID']);

/**
 * Makes all encodes of a plan in one run of the encoder, and stores them while they are written.
 * @param prefix of the file names
 */
export async function runEncode(
  ffmpeg: Ffmpeg,
  draft: MediaDraft,
  { input, shape }: PreparedEncode,
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
        const file = await draft.create(name);
        try {
          tracks[index] = { file: name, ...(await packageTrack(chunks, grid, file.write)) };
        } finally {
          await file.close();
        }
      },
  );
  const seconds = framesToSeconds(shape.frames, shape.rate);
  const result = await ffmpeg.run('ffmpeg', {
    arguments: encodeArguments(input, plan, shape, threads),
    folder: draft.folder,
    timeoutMs: Math.min(1_800_000, 60_000 + 40_000 * seconds),
    outputs,
  });
  if (result.ok) return tracks;
  const failed = `it could not be encoded: ${result.reason}${lastMessage(result.stderr, 'source')}`;
  return {
    failed,
    ...programFault(result, 'NOT_ENCODED'),
    ...(SOURCE_FAULTS.has(result.code ?? '') ? { canNormalize: true } : {}),
  };
}
