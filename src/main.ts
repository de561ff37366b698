// `npm start`: reads the environment, starts Midroll, and stops it when the terminal or the system asks. With WORKERS
// there is one process for the administration, and so many that share the live port; each of them may die and is replaced.
// With ROLE=worker there is one that makes creatives and listens nowhere.
import cluster from 'node:cluster';
import { startMidroll } from './app.ts';
import { type Config, readConfig } from './config.ts';
import { startWorker } from './startWorker.ts';

function configured(): Config {
  const read = readConfig(process.env);
  if (read.ok) return read.config;
  for (const problem of read.problems) console.error(problem);
  process.exit(2);
}

const config = configured();
const hasWorkers = config.WORKERS > 1;
/** Which port the workers share: with LIVE_PORT=0, whichever they were given. */
let sharedPort: number | undefined;
const duties = {
  admin: cluster.isPrimary,
  live: !hasWorkers || cluster.isWorker,
  livePort: () => sharedPort,
};
function giveUp(error: Error & { code?: string }): never {
  const hint = error.code === 'EADDRINUSE' ? ' Set ADMIN_PORT or LIVE_PORT to another port.' : '';
  console.error(`Midroll could not start: ${error.message.replace(/\.$/, '')}.${hint}`);
  process.exit(1);
}
const midroll = config.ROLE === 'worker' ? undefined : await startMidroll(config, duties).catch(giveUp);
const running = midroll ?? (await startWorker(config).catch(giveUp));

let isStopping = false;
function stop(): void {
  if (isStopping) process.exit(1);
  isStopping = true;
  for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGTERM');
  running.close().then(
    () => process.exit(0),
    (error: Error) => {
      console.error(`Midroll did not stop cleanly: ${error.message}`);
      process.exit(1);
    },
  );
}
process.on('SIGTERM', stop);
process.on('SIGINT', stop);

/** Starts those who share the live port, and another for each that dies; @returns where they listen */
async function startWorkers(here: string): Promise<string> {
  const fork = (): unknown => cluster.fork();
  let hasListened = false;
  const listening = new Promise<void>((resolve) =>
    // Each time: when none of them is left, the next are given another free port.
    cluster.on('listening', (_, { port }) => {
      sharedPort = port;
      resolve();
    }),
  );
  cluster.on('exit', () => {
    // A worker that could not even begin has said why; the next one could not either.
    if (!hasListened) process.exit(1);
    if (!isStopping) setTimeout(fork, 500);
  });
  for (let count = 0; count < config.WORKERS; count += 1) fork();
  const url = new URL(here);
  await listening;
  if (config.LIVE_URL === undefined) url.port = String(sharedPort);
  hasListened = true;
  return url.href.replace(/\/$/, '');
}

if (midroll === undefined) console.error('Midroll makes creatives, and listens nowhere');
else if (cluster.isPrimary) {
  if (midroll.firstKey !== undefined) console.error(`The first API key, shown only now: ${midroll.firstKey}`);
  const liveUrl = hasWorkers ? await startWorkers(midroll.liveUrl) : midroll.liveUrl;
  console.error(`Midroll listens: administration ${midroll.adminUrl}, live ${liveUrl}`);
}
