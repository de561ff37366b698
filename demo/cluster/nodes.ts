// SPDX-License-Identifier: Apache-2.0
// Nodes and workers of the cluster: Midroll as processes, with environment variables only, as users start it.
import { midrollEnvironment, server } from '../midrollProcess.ts';
import type { MemberSpec } from './member.ts';

export type Installation = {
  readonly dataDir: string;
  readonly apiKey: string;
  readonly adminUrl: string;
  readonly liveUrl: string;
  readonly databaseUrl: string;
  readonly redisUrl: string;
};

/** The same for all processes: the folder with ads and spools may be shared on one machine. */
const settings = ({ dataDir, apiKey, adminUrl, liveUrl, databaseUrl, redisUrl }: Installation) => ({
  ADMIN_URL: adminUrl,
  LIVE_URL: liveUrl,
  DATA_DIR: dataDir,
  DATABASE_URL: databaseUrl,
  REDIS_URL: redisUrl,
  BOOTSTRAP_API_KEY: apiKey,
});

export type NodePlace = {
  readonly installation: Installation;
  readonly number: number;
  readonly adminPort: number;
  readonly livePort: number;
  readonly logFile: string;
};

export function nodeSpec({ installation, number, adminPort, livePort, logFile }: NodePlace): MemberSpec {
  const own = { ROLE: 'serve', ADMIN_PORT: `${adminPort}`, LIVE_PORT: `${livePort}`, DRAIN_SECONDS: '3' };
  return {
    id: `node-${number}`,
    title: `Node ${number}`,
    kind: 'node',
    logFile,
    cwd: installation.dataDir,
    command: [process.execPath, server],
    env: midrollEnvironment({ ...settings(installation), ...own }),
    isReady: async () => {
      const response = await fetch(`http://127.0.0.1:${livePort}/ready`, { signal: AbortSignal.timeout(4000) });
      return response.ok;
    },
  };
}

export function workerSpec(installation: Installation, number: number, logFile: string): MemberSpec {
  return {
    id: `worker-${number}`,
    title: `Worker ${number}`,
    kind: 'worker',
    logFile,
    cwd: installation.dataDir,
    command: [process.execPath, server],
    env: midrollEnvironment({ ...settings(installation), ROLE: 'worker' }),
    isReady: async (log) => log().includes('is conditioning creatives'),
  };
}
