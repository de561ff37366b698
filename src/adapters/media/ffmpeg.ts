// Runs ffmpeg and ffprobe: their output into readers, the end of their complaints kept, never longer than allowed.
import { type ChildProcess, spawn } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { setPriority, constants as system } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Ffmpeg, OutputReader, ProgramResult, ProgramRun } from '../../ingest/ports.ts';

export type FfmpegOptions = { readonly ffmpegPath?: string; readonly ffprobePath?: string };

const TAIL = 4000;

/** Why a run did not end well. */
type Why = Pick<Extract<ProgramResult, { ok: false }>, 'code' | 'reason'>;

export function createFfmpeg({ ffmpegPath = 'ffmpeg', ffprobePath = 'ffprobe' }: FfmpegOptions = {}): Ffmpeg {
  const paths = { ffmpeg: ffmpegPath, ffprobe: ffprobePath };
  let hasRun = false;
  return {
    // It is looked for each time, and run the first time: nobody waits for a process to learn that it is still there.
    async missing() {
      for (const program of ['ffmpeg', 'ffprobe'] as const) {
        if (hasRun && (await isThere(paths[program]))) continue;
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

/** @param path a file, or a name that is looked for as the system does */
async function isThere(path: string): Promise<boolean> {
  const folders = path.includes('/') ? [''] : (process.env.PATH ?? '').split(delimiter);
  for (const folder of folders) {
    const found = await access(join(folder, path), constants.X_OK).then(
      () => true,
      () => false,
    );
    if (found) return true;
  }
  return false;
}

async function runProgram(path: string, run: ProgramRun): Promise<ProgramResult> {
  if (run.signal?.aborted) return { ok: false, reason: 'was not begun', stderr: '' };
  const outputs = run.outputs ?? [];
  const child = spawn(path, run.arguments, {
    cwd: run.folder,
    stdio: ['ignore', run.stdout ? 'pipe' : 'ignore', 'pipe', ...outputs.map(() => 'pipe' as const)],
  });
  const ended = exitOf(child);
  yieldToViewers(child);
  let said = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-TAIL);
  });
  let stopped: Why | undefined;
  const stop = (why: Why): void => {
    stopped ??= why;
    child.kill('SIGKILL');
  };
  const onAbort = (): void => stop({ reason: 'was broken off' });
  run.signal?.addEventListener('abort', onAbort);
  const timer = setTimeout(
    () => stop({ reason: `took longer than ${Math.round(run.timeoutMs / 1000)} s` }),
    run.timeoutMs,
  );
  const read = async (fd: number, reader: OutputReader): Promise<Why | undefined> => {
    const stream = child.stdio[fd] as Readable;
    try {
      await reader(stream);
      return undefined;
    } catch (error) {
      const why = whyThrown(error);
      if (!stream.readableEnded) stop(why);
      return why;
    } finally {
      stream.resume(); // what a reader left over must not block the program
    }
  };
  const reading = outputs.map((reader, index) => read(3 + index, reader));
  if (run.stdout) reading.push(read(1, run.stdout));
  const exit = await ended;
  clearTimeout(timer);
  run.signal?.removeEventListener('abort', onAbort);
  const misread = (await Promise.all(reading)).find((why) => why !== undefined);
  const why = stopped ?? exit ?? misread;
  return why === undefined ? { ok: true, stderr: said } : { ok: false, ...why, stderr: said };
}

/** undefined when it ended well. */
const exitOf = (child: ChildProcess): Promise<Why | undefined> =>
  new Promise((resolve) => {
    child.once('error', (error: NodeJS.ErrnoException) => resolve({ reason: error.code ?? error.message }));
    child.once('close', (code, signal) => {
      if (code === 0) resolve(undefined);
      else
        resolve(
          signal
            ? { code: signal, reason: `ended with ${signal}` }
            : { code: 'EXIT_CODE', reason: `ended with code ${code}` },
        );
    });
  });

function whyThrown(error: unknown): Why {
  if (!(error instanceof Error)) return { reason: String(error) };
  const { code } = error as NodeJS.ErrnoException;
  return { reason: error.message, ...(code === undefined ? {} : { code }) };
}

/** Encoding can wait, viewers can't. */
function yieldToViewers(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) setPriority(child.pid, system.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // it has ended already, or the system does not let us: then it runs like any other
  }
}
