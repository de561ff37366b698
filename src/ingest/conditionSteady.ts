// A second try for a creative that could not be encoded: brought into one form first, from its start to its end.
import { steadyArguments } from './conditionArguments.ts';
import type { EncodePlan } from './conditionPlan.ts';
import type { Ffmpeg } from './conditionPorts.ts';
import type { SourceFile } from './conditionSource.ts';

const MOST_MS = 900_000;

/** @returns files in place of these; undefined when they cannot be made */
export async function conditionSteady(
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
      arguments: steadyArguments(file, output, plan, threads),
      folder,
      timeoutMs: MOST_MS,
    });
    if (!made.ok) return undefined;
    steady.push({ file: output, holds, isPart: true });
  }
  return steady;
}
