// SPDX-License-Identifier: Apache-2.0
// The programs that the commands in the documentation find, besides those of the system.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPage, root } from '../../site/markdownPages.ts';

/** `midroll` as after `npm install -g`, and a curl that fails when the response is an error. @returns the environment */
export function installTools(folder: string): Record<string, string> {
  const { bin } = JSON.parse(readPage('package.json')) as { bin: { midroll: string } };
  mkdirSync(join(folder, 'bin'));
  const command = `#!/bin/sh\nexec '${process.execPath}' '${join(root, bin.midroll)}' "$@"\n`;
  writeFileSync(join(folder, 'bin/midroll'), command, { mode: 0o755 });
  writeFileSync(join(folder, '.curlrc'), 'silent\nshow-error\nfail-with-body\n');
  return { PATH: `${join(folder, 'bin')}:${process.env.PATH}`, HOME: folder, CURL_HOME: folder, SCRATCH: folder };
}
