// `npm start`: reads the environment, starts Midroll, and stops it when the terminal or the system asks.
import { startMidroll } from './app.ts';
import { readConfig } from './config.ts';

const read = readConfig(process.env);
if (!read.ok) {
  for (const problem of read.problems) console.error(problem);
  process.exit(2);
}
const midroll = await startMidroll(read.config).catch((error: Error & { code?: string }) => {
  const hint = error.code === 'EADDRINUSE' ? ' Set ADMIN_PORT or LIVE_PORT to another port.' : '';
  console.error(`Midroll could not start: ${error.message}.${hint}`);
  process.exit(1);
});
console.error(`Midroll listens: administration ${midroll.adminUrl}, live ${midroll.liveUrl}`);
if (midroll.firstKey !== undefined) {
  console.error(`The first API key, shown only now: ${midroll.firstKey}`);
}

let isStopping = false;
const stop = () => {
  if (isStopping) process.exit(1);
  isStopping = true;
  midroll.close().then(
    () => process.exit(0),
    (error: Error) => {
      console.error(`Midroll did not stop cleanly: ${error.message}`);
      process.exit(1);
    },
  );
};
process.on('SIGTERM', stop);
process.on('SIGINT', stop);
