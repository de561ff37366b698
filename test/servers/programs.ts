// SPDX-License-Identifier: Apache-2.0
// The programs of servers that tests start.
import { findNginx, findPostgres, findRedis } from '../../demo/cluster/programs.ts';

function installed(name: string, found: string | undefined): string {
  if (found === undefined) throw new Error(`${name} is not installed: this test needs it.`);
  return found;
}

export const nginxProgram = (): string => installed('nginx', findNginx());
export const redisProgram = (program: 'server' | 'cli'): string => installed(`redis-${program}`, findRedis(program));
/** The folder of initdb and postgres. */
export const postgresPrograms = (): string => installed('PostgreSQL', findPostgres());
