// SPDX-License-Identifier: Apache-2.0
// Normalizes sources whose form changes, which cannot be encoded to an exact number of frames.
import { type Failure, programFault } from '../fetch/conditionFailure.ts';
import type { SourceFile, SourceFiles } from '../fetch/fetchSource.ts';
import type { EncodePlan } from '../plan/planEncode.ts';
import { CHANNEL_LAYOUTS, DEINTERLACE, fitInto, largestOf, quietly, safeInput } from './encodeArguments.ts';
import { type EncodeJob, lastMessage } from './prepareEncode.ts';

const TIMEOUT_MS = 900_000;

/** Joins the parts between discontinuities into one file. Files that have only one part are returned unchanged. */
export async function joinParts(files: SourceFiles, job: EncodeJob): Promise<SourceFiles | Failure> {
  const { plan, folder, ffmpeg, threads } = job;
  const count = 1 + Math.max(0, ...files.map(({ part = 0 }) => part));
  if (count === 1) return files;
  const fileOf = (part: number, without: SourceFile['holds']) =>
    files.find((file) => file.part === part && file.holds !== without)?.file;
  const parts = Array.from({ length: count }, (_, part) => ({
    video: fileOf(part, 'audio'),
    audio: fileOf(part, 'video'),
  }));
  const file = 'joined';
  const joining = joinArguments(parts, file, plan, threads);
  const made = await ffmpeg.run('ffmpeg', { arguments: joining, folder, timeoutMs: TIMEOUT_MS });
  if (made.ok) return [{ file, holds: 'all', isPart: true }];
  const failed = `its ${count} parts could not be joined: ${made.reason}${lastMessage(made.stderr, file)}`;
  return { failed, ...programFault(made, 'NOT_ENCODED') };
}

/** @returns files that replace the given ones, or undefined if they cannot be normalized */
export async function normalizeFiles(files: SourceFiles, job: EncodeJob): Promise<SourceFiles | undefined> {
  const { plan, folder, ffmpeg, threads } = job;
  const normalized: SourceFile[] = [];
  for (const { file, holds } of files) {
    const output = `normalized-${file}`;
    const normalizing = normalizeArguments(file, output, plan, threads);
    const made = await ffmpeg.run('ffmpeg', { arguments: normalizing, folder, timeoutMs: TIMEOUT_MS });
    if (!made.ok) return undefined;
    normalized.push({ file: output, holds, isPart: true });
  }
  return normalized;
}

// Command lines that bring a source into one form (picture size, sample rate, channels) from start to end. When the form
// changes within a file, ffmpeg restarts its filters, and the number of frames can no longer be controlled.

/** The intermediate format: large, fast to encode, and nearly lossless. */
const INTERMEDIATE = [
  ...['-c:v', 'libx264', '-preset', 'ultrafast', '-qp', '10', '-fps_mode', 'vfr'],
  ...['-c:a', 'pcm_s16le', '-f', 'matroska'],
];

/** Filters that bring video and audio into the form that the largest rung needs. */
function filtersFor({ videos, audios }: EncodePlan) {
  const largest = largestOf(videos);
  const layout = CHANNEL_LAYOUTS[audios.some(({ channels }) => channels === 6) ? 6 : 2];
  return {
    video: largest && [DEINTERLACE, ...fitInto(largest)].join(','),
    audio: `aresample=48000,aformat=sample_fmts=s16:channel_layouts=${layout}`,
  };
}

/** Normalizes the first video and the first audio stream of a file into `output`. */
function normalizeArguments(file: string, output: string, plan: EncodePlan, threads: number): string[] {
  const { video, audio } = filtersFor(plan);
  return [
    ...[...quietly(threads), ...safeInput(file)],
    ...(video ? ['-map', '0:V:0?', '-vf', video] : []),
    ...['-map', '0:a:0?', '-af', audio, ...INTERMEDIATE, '-threads', `${threads}`, output],
  ];
}

/** Normalizes parts whose time stamps each start again, and concatenates them into `output`. */
function joinArguments(
  parts: readonly { readonly video: string | undefined; readonly audio: string | undefined }[],
  output: string,
  plan: EncodePlan,
  threads: number,
): string[] {
  const filters = filtersFor(plan);
  const hasVideo = filters.video !== undefined && parts.every(({ video }) => video !== undefined);
  const hasAudio = parts.every(({ audio }) => audio !== undefined);
  const inputs = [...new Set(parts.flatMap(({ video, audio }) => [video, audio]).filter((file) => file !== undefined))];
  const chains: string[] = [];
  let pads = '';
  for (const [part, { video, audio }] of parts.entries()) {
    if (hasVideo) chains.push(`[${inputs.indexOf(video ?? '')}:V:0]${filters.video}[v${part}]`);
    if (hasAudio) chains.push(`[${inputs.indexOf(audio ?? '')}:a:0]${filters.audio}[a${part}]`);
    pads += `${hasVideo ? `[v${part}]` : ''}${hasAudio ? `[a${part}]` : ''}`;
  }
  const joined = `${pads}concat=n=${parts.length}:v=${hasVideo ? 1 : 0}:a=${hasAudio ? 1 : 0}`;
  const graph = [...chains, `${joined}${hasVideo ? '[v]' : ''}${hasAudio ? '[a]' : ''}`];
  return [
    ...[...quietly(threads), ...inputs.flatMap(safeInput), '-filter_complex', graph.join(';')],
    ...(hasVideo ? ['-map', '[v]'] : []),
    ...(hasAudio ? ['-map', '[a]'] : []),
    ...[...INTERMEDIATE, '-threads', `${threads}`, output],
  ];
}
