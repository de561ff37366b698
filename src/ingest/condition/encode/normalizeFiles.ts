// Creatives that ffmpeg can't count as they are: brought into one form first, from their start to their end.

import type { Ffmpeg } from '../../ports.ts';
import { type Failure, programFault } from '../fetch/conditionFailure.ts';
import type { SourceFile } from '../fetch/fetchSource.ts';
import type { EncodePlan } from '../plan/planEncode.ts';
import { joinArguments, normalizeArguments } from './encodeArguments.ts';
import { lastMessage } from './probeFile.ts';

const MOST_MS = 900_000;

/** Parts with a discontinuity between, put together; what has but one is what it is. */
export async function joinParts(
  files: readonly SourceFile[],
  plan: EncodePlan,
  folder: string,
  ffmpeg: Ffmpeg,
  threads: number,
): Promise<readonly SourceFile[] | Failure> {
  const count = 1 + Math.max(0, ...files.map(({ part = 0 }) => part));
  if (count === 1) return files;
  const fileOf = (part: number, without: SourceFile['holds']) =>
    files.find((file) => file.part === part && file.holds !== without)?.file;
  const parts = Array.from({ length: count }, (_, part) => {
    const [video, audio] = [fileOf(part, 'audio'), fileOf(part, 'video')];
    return { ...(video ? { video } : {}), ...(audio ? { audio } : {}) };
  });
  const file = 'joined';
  const made = await ffmpeg.run('ffmpeg', {
    arguments: joinArguments(parts, file, plan, threads),
    folder,
    timeoutMs: MOST_MS,
  });
  if (made.ok) return [{ file, holds: 'all', isPart: true }];
  const failed = `its ${count} parts could not be put together: ${made.reason}${lastMessage(made.stderr, file)}`;
  return { failed, ...programFault(made, 'NOT_ENCODED') };
}

/** @returns files in place of these; undefined when they cannot be made */
export async function normalizeFiles(
  files: readonly SourceFile[],
  plan: EncodePlan,
  folder: string,
  ffmpeg: Ffmpeg,
  threads: number,
): Promise<readonly SourceFile[] | undefined> {
  const steady: SourceFile[] = [];
  for (const { file, holds } of files) {
    const output = `steady-${file}`;
    const made = await ffmpeg.run('ffmpeg', {
      arguments: normalizeArguments(file, output, plan, threads),
      folder,
      timeoutMs: MOST_MS,
    });
    if (!made.ok) return undefined;
    steady.push({ file: output, holds, isPart: true });
  }
  return steady;
}
