// SPDX-License-Identifier: Apache-2.0
// The encoder of the live channel: a process of ffmpeg. It ends by itself when it can no longer upload, so none is left when
// the demo is killed.
import { type ChildProcess, spawn } from 'node:child_process';
import { type EncoderSetup, encoderArguments } from './encoderArguments.ts';

/** How an encoder ended by itself. */
export type EncoderEnd = (reason: string) => void;

/** @returns kills the encoder; `onEnd` is not called then */
export function spawnEncoder(ffmpeg: string, setup: EncoderSetup, onEnd: EncoderEnd): () => void {
  const child: ChildProcess = spawn(ffmpeg, encoderArguments(setup), { stdio: ['ignore', 'ignore', 'pipe'] });
  let lastLine = '';
  let isKilled = false;
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    lastLine = text.trim().split('\n').at(-1)?.slice(0, 200) || lastLine;
  });
  const end = (reason: string) => {
    if (!isKilled) onEnd(reason);
    isKilled = true;
  };
  child.on('error', ({ message }) => end(message));
  child.on('close', (code, signal) => end(lastLine || `ffmpeg ended: ${signal ?? code}`));
  const kill = () => {
    isKilled = true;
    process.off('exit', kill);
    child.kill('SIGKILL');
  };
  process.once('exit', kill);
  return kill;
}
