// SPDX-License-Identifier: Apache-2.0
// Normalizes sources whose form changes, which cannot be encoded to an exact number of frames.

import type { Ffmpeg } from '../../ports.ts';
import { type Failure, programFault } from '../fetch/conditionFailure.ts';
import type { SourceFile } from '../fetch/fetchSource.ts';
import type { EncodePlan } from '../plan/planEncode.ts';
import { joinArguments, normalizeArguments } from './normalizeArguments.ts';
import { lastMessage } from './probeFile.ts';

const TIMEOUT_MS = 900_000;

/** Joins the parts between discontinuities into one file. Files that have only one part are returned unchanged. */
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
    timeoutMs: TIMEOUT_MS,
  });
  if (made.ok) return [{ file, holds: 'all', isPart: true }];
  const failed = `its ${count} parts could not be joined: ${made.reason}${lastMessage(made.stderr, file)}`;
  return { failed, ...programFault(made, 'NOT_ENCODED') };
}

/** @returns files that replace the given ones, or undefined if they cannot be normalized */
export async function normalizeFiles(
  files: readonly SourceFile[],
  plan: EncodePlan,
  folder: string,
  ffmpeg: Ffmpeg,
  threads: number,
): Promise<readonly SourceFile[] | undefined> {
  const normalized: SourceFile[] = [];
  for (const { file, holds } of files) {
    const output = `normalized-${file}`;
    const made = await ffmpeg.run('ffmpeg', {
      arguments: normalizeArguments(file, output, plan, threads),
      folder,
      timeoutMs: TIMEOUT_MS,
    });
    if (!made.ok) return undefined;
    normalized.push({ file: output, holds, isPart: true });
  }
  return normalized;
}
