// SPDX-License-Identifier: Apache-2.0
// Prints the OpenAPI document of both ports, from a process on an empty store.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startMidroll } from '../src/app.ts';
import { readConfig } from '../src/config.ts';

const folder = await mkdtemp(join(tmpdir(), 'midroll-openapi-'));
const read = readConfig({ DATA_DIR: folder, ADMIN_PORT: '0', LIVE_PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'error' });
if (!read.ok) throw new Error(read.problems.join('\n'));
const midroll = await startMidroll(read.config);
const response = await fetch(`${midroll.adminUrl}/openapi.json`);
console.log(await response.text());
await midroll.close();
await rm(folder, { recursive: true, force: true });
