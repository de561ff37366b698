// SPDX-License-Identifier: Apache-2.0
// `npm run bench:scaling`: what a viewer-hour costs in nodes, Redis and PostgreSQL, counted by their own statistics, for sticky and
// for random routing; and what a manifest costs on two nodes against one. Writes measured.json. Takes half an hour.
// BENCH_VIEWERS: of the installations that count. BENCH_LOADED_VIEWERS: of those whose processor time is compared.
import { writeMeasured } from './costs.ts';
import type { InstallationShape } from './installation.ts';
import { measureInstallations, type Phases } from './measureInstallations.ts';
import { measureRedisMemory } from './redisMemory.ts';
import { measuredOf, printReport } from './report.ts';

const VIEWERS = Number(process.env.BENCH_VIEWERS ?? 150);
const LOADED_VIEWERS = Number(process.env.BENCH_LOADED_VIEWERS ?? 600);
/** Those who also request ads, so that the work of breaks does not cover that of manifests. */
const FOLLOWERS = 60;
const BREAKS = Number(process.env.BENCH_BREAKS ?? 2);
/** Tracking URLs of each event; ad responses of 8, 28 and 54 KB. */
const URLS = [1, 4, 8];

const COUNTED: readonly InstallationShape[] = [
  { name: 'PostgreSQL, sticky', sessions: 'postgres', nodes: 2, routing: 'sticky' },
  { name: 'PostgreSQL, random', sessions: 'postgres', nodes: 2, routing: 'random' },
  { name: 'Redis, sticky', sessions: 'redis', nodes: 2, routing: 'sticky' },
  { name: 'Redis, random', sessions: 'redis', nodes: 2, routing: 'random' },
];
const LOADED: readonly InstallationShape[] = [
  { name: 'one node', sessions: 'redis', nodes: 1, routing: 'sticky' },
  { name: 'two nodes, sticky', sessions: 'redis', nodes: 2, routing: 'sticky' },
  { name: 'two nodes, random', sessions: 'redis', nodes: 2, routing: 'random' },
];

/** One node, all of whose viewers play their ads, so that writes come in batches. */
const BUSY: InstallationShape = { name: 'busy', sessions: 'redis', nodes: 1, routing: 'sticky' };

const say = (text: string) => console.log(`${new Date().toISOString().slice(11, 19)} ${text}`);
// Each server that is started stops with this process.
process.setMaxListeners(0);

const memory = [];
for (const urls of URLS) memory.push(await measureRedisMemory(urls));
const counted = await measureInstallations(COUNTED, { perNode: VIEWERS / 2, followers: VIEWERS }, BREAKS, say);
const loaded = await measureInstallations(LOADED, { perNode: LOADED_VIEWERS, followers: FOLLOWERS }, BREAKS, say);
const busy = await measureInstallations([BUSY], { perNode: LOADED_VIEWERS, followers: LOADED_VIEWERS }, BREAKS, say);
const runs = { counted, loaded: loaded as [Phases, Phases, Phases], busy: busy[0]!, memory };
const measured = measuredOf(runs);
writeMeasured(measured);
printReport(runs, measured);
process.exit();
