// SPDX-License-Identifier: Apache-2.0
// The port for health, readiness and metrics of a process with ROLE=worker, and of the processes that share the live port.
import type { Server } from 'node:http';
import type { Registry } from 'prom-client';
import type { Config } from '../../config.ts';
import { createStatusServer, type StatusDeps } from '../../http/status/statusServer.ts';
import { addressOf, closeServer } from '../listening.ts';

type WorkerPort = { readonly url: string; close(): Promise<void> };

export type ProcessStatus = Omit<StatusDeps, 'metrics'> & { readonly metrics: Registry };

type Deps = ProcessStatus & { readonly config: Config };

const DEFAULT_PORT = 8082;

const listenOn = (server: Server, port: number, host: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    // Exclusive: the processes of a cluster would share the port otherwise.
    server.listen({ port, host, exclusive: true }, () => {
      server.off('error', reject);
      resolve();
    });
  });

async function open(port: number, { config, ...status }: Deps): Promise<WorkerPort> {
  const server = createStatusServer(status);
  await listenOn(server, port, config.HOST);
  return { url: addressOf(server, config, port), close: () => closeServer(server) };
}

/** Several workers on one machine need no settings: the first one gets the default port. */
export async function openWorkerPort(
  deps: Deps,
  warn: (message: string, facts: Record<string, unknown>) => void,
): Promise<WorkerPort> {
  const { WORKER_PORT } = deps.config;
  if (WORKER_PORT !== undefined) return open(WORKER_PORT, deps);
  try {
    return await open(DEFAULT_PORT, deps);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    const opened = await open(0, deps);
    warn('the default WORKER_PORT is in use; listening on another port', { port: new URL(opened.url).port });
    return opened;
  }
}

/** @param number of the process, from 1 on. @returns undefined if WORKER_PORT is not set */
export async function openLiveWorkerPort(number: number, deps: Deps): Promise<WorkerPort | undefined> {
  const { WORKER_PORT } = deps.config;
  if (WORKER_PORT === undefined) return undefined;
  return open(WORKER_PORT === 0 ? 0 : WORKER_PORT + number - 1, deps);
}
