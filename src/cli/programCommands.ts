// SPDX-License-Identifier: Apache-2.0
// The commands that start something or check the installation. Each loads its code when it runs, so that --help is fast.
import { readConfig } from '../config.ts';
import { millis } from '../time/units.ts';
import { CommandError, EXIT, type ProgramCommand, settingsOf } from './command.ts';
import type { Finding } from './doctor/finding.ts';

const settings = 'Settings are environment variables. "midroll doctor" checks them; docs/settings.md lists them.';

const exitCodeOf = (findings: readonly Finding[]): number =>
  findings.some(({ state }) => state === 'error') ? EXIT.failure : EXIT.success;

const isHttpUrl = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

export const programCommands: readonly ProgramCommand[] = [
  {
    name: 'serve',
    summary: 'Start the server',
    options: [],
    example: 'midroll serve --env-file midroll.env',
    details: settings,
    reportsUnknown: true,
    start: async ({ env, unknown }) => (await import('../serve.ts')).serve(env, unknown),
  },
  {
    name: 'demo',
    summary: 'Start a channel with videos, an ad server and two players on this machine',
    options: [{ name: 'cluster', description: 'Start three nodes, PostgreSQL, Redis and nginx', isFlag: true }],
    example: 'midroll demo --cluster',
    details: 'Listens on loopback only and deletes its data when it ends, unless DATA_DIR is set.',
    start: async ({ env, options }) => {
      // The demo reads its settings there, and passes them on to the server.
      Object.assign(process.env, env);
      // Built from demo/main.ts next to this program (scripts/buildServer.mjs). The product does not import the demo.
      const { startDemo } = await import(new URL('./demo.js', import.meta.url).href);
      startDemo({ isCluster: options.cluster !== undefined });
    },
  },
  {
    name: 'doctor',
    summary: 'Check this installation: Node, ffmpeg, ports, disk, stores, mail server, egress',
    options: [{ name: 'url', description: 'URL of an ad server or origin to check' }],
    example: 'midroll doctor --url https://ads.example.com/vast',
    details: 'Changes nothing. Exits with 1 if something does not work. Run it with the settings of the server.',
    reportsUnknown: true,
    start: async ({ env, unknown, options, output }) => {
      if (options.url !== undefined && !isHttpUrl(options.url))
        throw new CommandError(`--url must be an http or https URL; got ${JSON.stringify(options.url.slice(0, 200))}.`);
      const { examine, report } = await import('./doctor/doctor.ts');
      const findings = await examine(env, { url: options.url, unknown });
      output.result(report(findings));
      return exitCodeOf(findings);
    },
  },
  {
    name: 'status',
    summary: 'Print what works and what does not: channels, fill, ad servers, creatives, stores',
    options: [
      { name: 'tenant', description: 'Only this tenant; default: all' },
      { name: 'json', description: 'Print JSON', isFlag: true },
    ],
    example: 'midroll status --json',
    details: [
      'Changes nothing, and needs no API key. Run it with the settings of the server.',
      'Exits with 0 if everything works, 1 if there are problems, 2 if something is down.',
    ].join('\n'),
    start: async ({ env, options, output }) => {
      const read = readConfig(env);
      if (!read.ok) {
        output.note(read.problems.join('\n'));
        return EXIT.usage;
      }
      const { exitCodes, readStatus, writeStatus } = await import('./status/status.ts');
      const status = await readStatus(read.config, options.tenant, millis(Date.now()));
      output.result(options.json === undefined ? writeStatus(status) : JSON.stringify(status, null, 2));
      const code = exitCodes[status.health];
      output.end?.(code);
      return code;
    },
  },
  {
    name: 'check',
    summary: 'Check the consistency of the data: database, records, media, spools',
    options: [],
    example: 'midroll check',
    details: [
      'Changes nothing; servers can keep running. Exits with 1 if something is damaged.',
      'midroll doctor checks the machine and the settings; this command checks what is stored.',
    ].join('\n'),
    start: async ({ env, output }) => {
      const config = settingsOf(env);
      const [{ checkInstallation }, { listFindings }] = await Promise.all([
        import('./check/check.ts'),
        import('./doctor/doctor.ts'),
      ]);
      const findings = await checkInstallation(config, output.note);
      output.result(listFindings(findings));
      return exitCodeOf(findings);
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
      const { backup } = await import('./backup/backup.ts');
      output.note(await backup(config, operand, output.note));
    },
  },
  {
    name: 'restore',
    summary: 'Copy a backup to an empty DATA_DIR',
    operand: 'FOLDER',
    options: [],
    example: 'midroll restore /var/backups/midroll/monday',
    details: [
      'Stop all servers first. DATA_DIR must be empty, so move its content away. The backup is checked before anything is copied.',
      'With DATABASE_URL, it prints the command that restores the PostgreSQL database. See docs/backup.md.',
    ].join('\n'),
    start: async ({ env, operand, output }) => {
      const config = settingsOf(env);
      const { restore } = await import('./backup/restore.ts');
      output.note(await restore(config, operand));
    },
  },
  {
    name: 'upgrade',
    summary: 'Apply the schema of this version to the database, or try it',
    options: [
      {
        name: 'dry-run',
        description: 'Change nothing: list the steps, try them, and report how long they take',
        isFlag: true,
      },
    ],
    example: 'midroll upgrade --dry-run',
    details: [
      'Servers do this themselves when they start. Back up first: midroll backup FOLDER.',
      'With --dry-run, SQLite is copied within DATA_DIR. PostgreSQL runs the steps and rolls them back; tables that a step changes',
      'are locked meanwhile, so run it when few viewers watch, or on a copy. See docs/upgrading.md.',
    ].join('\n'),
    start: async ({ env, options, output }) => {
      const config = settingsOf(env);
      const { upgrade } = await import('./upgrade/upgrade.ts');
      const { table, note } = await upgrade(config, options['dry-run'] !== undefined);
      if (table !== undefined) output.result(table);
      output.note(note);
    },
  },
];
