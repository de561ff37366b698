// SPDX-License-Identifier: Apache-2.0
// The commands that start something or check the installation. Each loads its code when it runs, so that --help is fast.
import { type Config, readConfig } from '../config.ts';
import type { Environment, ProgramCommand } from './command.ts';
import { CommandError } from './commandError.ts';
import { EXIT } from './exitCodes.ts';

const settings = 'Settings are environment variables. "midroll doctor" checks them; docs/operating.md lists them.';

/** @throws {CommandError} that names each invalid setting */
export function settingsOf(env: Environment): Config {
  const read = readConfig(env);
  if (read.ok) return read.config;
  throw new CommandError(read.problems.join('\n'));
}

export const programCommands: readonly ProgramCommand[] = [
  {
    name: 'serve',
    summary: 'Start the server',
    options: [],
    example: 'midroll serve --env-file midroll.env',
    details: settings,
    start: async ({ env }) => {
      const { serve } = await import('../serve.ts');
      await serve(env);
      return EXIT.success;
    },
  },
  {
    name: 'demo',
    summary: 'Start a channel with videos, an ad server and two players on this machine',
    options: [],
    example: 'midroll demo',
    details: 'Listens on loopback only and deletes its data when it ends, unless DATA_DIR is set.',
    start: async () => {
      // Built from demo/main.ts next to this program (scripts/buildServer.mjs). The product does not import the demo.
      await import(new URL('./demo.js', import.meta.url).href);
      return EXIT.success;
    },
  },
  {
    name: 'backup',
    summary: 'Copy the data of the servers to a new folder',
    operand: 'FOLDER',
    options: [],
    example: 'midroll backup /var/backups/midroll/monday',
    details: [
      'Copies what DATA_DIR contains, except media. Servers can keep running. FOLDER must not exist, or be empty.',
      'With DATABASE_URL, it prints the command that copies the PostgreSQL database. See docs/backup.md.',
    ].join('\n'),
    start: async ({ env, operand, output }) => {
      const config = settingsOf(env);
      const { backup } = await import('./backup.ts');
      output.note(await backup(config, operand, output.note));
      return EXIT.success;
    },
  },
];
