// SPDX-License-Identifier: Apache-2.0
// Files in DATA_DIR that the database rejected, and drafts that processes have left.
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Finding, ok, warning } from '../doctor/finding.ts';

const SPOOLS = ['deliveries', 'reports', 'decisions'];
const OLD_MS = 24 * 3_600_000;
const LEFT = /^(\.upgrade-trial-|\.restore-|\.ready-)/;

export async function checkSpools(dataDir: string): Promise<Finding[]> {
  const findings: Finding[] = [];
  let waiting = 0;
  for (const spool of SPOOLS) {
    const names = await readdir(join(dataDir, spool)).catch((): string[] => []);
    waiting += names.filter((name) => name.endsWith('.json')).length;
    const aside = names.filter((name) => name.endsWith('.aside')).length;
    if (aside > 0)
      findings.push(
        warning(
          'Spools',
          `${aside} files in ${join(dataDir, spool)} were rejected by the database`,
          'The log has the reason. Keep them until the cause is known; see MidrollDeliveriesSetAside in docs/monitoring.md.',
        ),
      );
  }
  for (const name of (await readdir(dataDir).catch((): string[] => [])).filter((one) => LEFT.test(one))) {
    const { mtimeMs = Date.now() } = (await stat(join(dataDir, name)).catch(() => undefined)) ?? {};
    if (Date.now() - mtimeMs > OLD_MS)
      findings.push(warning('Spools', `${join(dataDir, name)} was left by a process that ended`, 'Delete it.'));
  }
  return findings.length > 0 ? findings : [ok('Spools', `nothing was rejected; ${waiting} files wait to be stored`)];
}
