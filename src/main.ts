// `npm start`: reads the environment, starts Midroll, and stops it when the terminal or the system asks. With WORKERS
// there is one process for the administration, and so many that share the live port; each of them may die and is replaced.
import cluster from 'node:cluster';
import { startMidroll } from './app.ts';
import { type Config, readConfig } from './config.ts';

function configured(): Config {
  const read = readConfig(process.env);
  if (read.ok) return read.config;
  for (const problem of read.problems) console.error(problem);
  process.exit(2);
}

const config = configured();
const hasWorkers = config.WORKERS > 1;
const duties = { admin: cluster.isPrimary, live: !hasWorkers || cluster.isWorker };
const midroll = await startMidroll(config, duties).catch((error: Error & { code?: string }) => {
  const hint = error.code === 'EADDRINUSE' ? ' Set ADMIN_PORT or LIVE_PORT to another port.' : '';
  console.error(`Midroll could not start: ${error.message}.${hint}`);
  process.exit(1);
});

let isStopping = false;
function stop(): void {
  if (isStopping) process.exit(1);
  isStopping = true;
  for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGTERM');
  midroll.close().then(
    () => process.exit(0),
    (error: Error) => {
      console.error(`Midroll did not stop cleanly: ${error.message}`);
      process.exit(1);
    },
  );
}
process.on('SIGTERM', stop);
process.on('SIGINT', stop);

if (cluster.isPrimary) {
  if (hasWorkers) {
    for (let count = 0; count < config.WORKERS; count += 1) cluster.fork();
    cluster.on('exit', () => {
      if (!isStopping) setTimeout(() => cluster.fork(), 500);
    });
  }
  console.error(`Midroll listens: administration ${midroll.adminUrl}, live ${midroll.liveUrl}`);
  if (midroll.firstKey !== undefined) console.error(`The first API key, shown only now: ${midroll.firstKey}`);
}
