// SPDX-License-Identifier: Apache-2.0
// Runs ffmpeg and ffprobe with a time limit: pipes their output into readers and keeps the end of their messages. What
// they are run for is left to src/ingest.
import { type ChildProcess, spawn } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { setPriority, constants as system } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Readable } from 'node:stream';
import { isDefect } from '../../ingest/defect.ts';
import type { Ffmpeg, OutputReader, ProgramResult, ProgramRun } from '../../ingest/ports.ts';

type FfmpegOptions = { readonly ffmpegPath?: string; readonly ffprobePath?: string };

/** Characters of stderr that are kept. */
const MAX_STDERR = 4000;

type RunFailure = Pick<Extract<ProgramResult, { ok: false }>, 'code' | 'reason'>;

export function createFfmpeg({ ffmpegPath = 'ffmpeg', ffprobePath = 'ffprobe' }: FfmpegOptions = {}): Ffmpeg {
  const paths = { ffmpeg: ffmpegPath, ffprobe: ffprobePath };
  let hasRun = false;
  return {
    // Runs the programs only the first time; later it checks that they still exist, which is faster.
    async missing() {
      for (const program of ['ffmpeg', 'ffprobe'] as const) {
        if (hasRun && (await isExecutable(paths[program]))) continue;
        hasRun = false;
        const run = { arguments: ['-hide_banner', '-version'], folder: '.', timeoutMs: 10_000 };
        const result = await runProgram(paths[program], run);
        if (!result.ok) return `${program} is not installed or does not run (${result.reason})`;
      }
      hasRun = true;
      return undefined;
    },
    run: (program, run) => runProgram(paths[program], run),
  };
}

/** @param path a file, or a name that is searched for in PATH */
async function isExecutable(path: string): Promise<boolean> {
  const folders = path.includes('/') ? [''] : (process.env.PATH ?? '').split(delimiter);
  for (const folder of folders) {
    const fault = await access(join(folder, path), constants.X_OK).catch((error: unknown) => error);
    if (fault === undefined) return true;
  }
  return false;
}

/** @throws the defect of Midroll that a reader has thrown, once the program has ended */
async function runProgram(path: string, run: ProgramRun): Promise<ProgramResult> {
  if (run.signal?.aborted) return { ok: false, reason: 'was cancelled', stderr: '' };
  const outputs = run.outputs ?? [];
  const child = spawn(path, run.arguments, {
    cwd: run.folder,
    stdio: ['ignore', run.stdout ? 'pipe' : 'ignore', 'pipe', ...outputs.map(() => 'pipe' as const)],
  });
  const ended = exitOf(child);
  lowerPriority(child);
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-MAX_STDERR);
  });
  let stopped: RunFailure | undefined;
  const stop = (failure: RunFailure): void => {
    stopped ??= failure;
    child.kill('SIGKILL');
  };
  const onAbort = (): void => stop({ reason: 'was cancelled' });
  run.signal?.addEventListener('abort', onAbort);
  const late = { reason: `took longer than ${Math.round(run.timeoutMs / 1000)} s` };
  const timer = setTimeout(() => stop(late), run.timeoutMs);
  /** What a reader has thrown that is no fault of the program or its input. */
  const defects: unknown[] = [];
  const read = async (fd: number, reader: OutputReader): Promise<RunFailure | undefined> => {
    const stream = child.stdio[fd] as Readable;
    try {
      await reader(stream);
      return undefined;
    } catch (error) {
      if (isDefect(error)) defects.push(error);
      const failure = failureOf(error);
      if (!stream.readableEnded) stop(failure);
      return failure;
    } finally {
      stream.resume(); // unread output must not block the program
    }
  };
  const reading = outputs.map((reader, index) => read(3 + index, reader));
  if (run.stdout) reading.push(read(1, run.stdout));
  const exit = await ended;
  clearTimeout(timer);
  run.signal?.removeEventListener('abort', onAbort);
  const readFailure = (await Promise.all(reading)).find((failure) => failure !== undefined);
  if (defects.length > 0) throw defects[0];
  const failure = stopped ?? exit ?? readFailure;
  return failure === undefined ? { ok: true, stderr } : { ok: false, ...failure, stderr };
}

/** @returns undefined if the program succeeded */
const exitOf = (child: ChildProcess): Promise<RunFailure | undefined> =>
  new Promise((resolve) => {
    child.once('error', (error: NodeJS.ErrnoException) => resolve({ reason: error.code ?? error.message }));
    child.once('close', (code, signal) => {
      const failed = { code: signal ?? 'EXIT_CODE', reason: `ended with ${signal ?? `code ${code}`}` };
      resolve(code === 0 ? undefined : failed);
    });
  });

function failureOf(error: unknown): RunFailure {
  if (!(error instanceof Error)) return { reason: String(error) };
  const { code } = error as NodeJS.ErrnoException;
  return { reason: error.message, ...(code === undefined ? {} : { code }) };
}

/** Gives serving viewers priority over encoding. */
function lowerPriority(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) setPriority(child.pid, system.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // The program has ended, or the system does not allow it.
  }
}
