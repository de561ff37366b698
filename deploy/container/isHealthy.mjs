// SPDX-License-Identifier: Apache-2.0
// The HEALTHCHECK of the image: exit status 0 while the process in this container responds on its ports. It requests
// /health, not /ready: a container that is unhealthy gets replaced, and while the database is unavailable a new process
// could not continue the sessions that this one still serves from memory. /ready is for load balancers.
const { ROLE, ADMIN_PORT, LIVE_PORT, WORKER_PORT } = process.env;
const TIMEOUT_MS = 4000;

async function isUp(port) {
  const response = await fetch(`http://127.0.0.1:${port}/health`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`port ${port} returned ${response.status}`);
}

const ports =
  ROLE?.trim() === 'worker'
    ? [WORKER_PORT?.trim() || '8082']
    : [ADMIN_PORT?.trim() || '8080', LIVE_PORT?.trim() || '8081'];
try {
  await Promise.all(ports.map(isUp));
} catch (error) {
  console.error(`Not healthy: ${error.cause?.message ?? error.message}.`);
  process.exitCode = 1;
}
