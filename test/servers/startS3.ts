// SPDX-License-Identifier: Apache-2.0
// Starts a server with the interface of S3 for a test: s3rver on a free port, with a temporary folder. With TEST_S3_URL, tests
// use that store instead: `s3://bucket/prefix?…` as in MEDIA_URL, with credentials from the environment. It cannot be paused.

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endProcess } from './endProcess.ts';

export type S3 = {
  readonly port: number;
  /** For MEDIA_URL. @param via another port, e.g. that of a proxy */
  urlOf(bucket: string, via?: number): string;
  /** The server accepts connections and does not respond, as if its machine were suspended. */
  freeze(): void;
  thaw(): void;
  /** Begins an outage in which connections are refused. */
  pause(): Promise<void>;
  /** Ends the outage: the same data, the same URL. */
  resume(): Promise<void>;
  /** Ends the server and removes its data. */
  stop(): Promise<void>;
};

/** The credentials that the server accepts, for the environment of processes under test. */
export const S3_CREDENTIALS = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' };

export async function startS3(): Promise<S3> {
  const folder = mkdtempSync(join(tmpdir(), 'midroll-s3-'));
  let child: ChildProcess;
  async function start(port: number): Promise<number> {
    child = spawn(process.execPath, [join(import.meta.dirname, 's3rver.mjs'), folder, String(port)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    for await (const chunk of child.stdout!) return JSON.parse(String(chunk)).port;
    throw new Error('s3rver ended at its start.');
  }
  const port = await start(0);
  process.once('exit', () => child.kill('SIGKILL'));
  return {
    port,
    urlOf: (bucket, via = port) =>
      `s3://${bucket}/midroll?endpoint=http://127.0.0.1:${via}&region=eu-central-1&pathStyle=true`,
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    pause: () => endProcess(child, 'SIGKILL'),
    resume: async () => void (await start(port)),
    stop: async () => {
      await endProcess(child, 'SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
