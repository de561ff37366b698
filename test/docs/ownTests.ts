// SPDX-License-Identifier: Apache-2.0
// Which test executes the commands of a page. A page that is not listed runs in `commands.system.ts`.

export type PageTest = {
  /** A test of its own. It must name the page. */
  readonly test: string;
  /** The only section (`## …`) whose commands that test executes. Default: all of them. */
  readonly section?: string;
};

export const ownTests: Readonly<Record<string, PageTest>> = {
  'docs/tour.md': { test: 'test/tour.system.ts', section: 'The tour' },
  'docs/api.md': { test: 'test/admin/apiDocs.test.ts' },
  'docs/backup.md': { test: 'test/live/restore.system.ts' },
  'docs/clients.md': { test: 'test/examples.system.ts' },
};
