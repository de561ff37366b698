// SPDX-License-Identifier: Apache-2.0
// Names that are probably settings spelled wrong. Settings have no common prefix, so a variable of the process counts only if its
// name is very close to a setting; the lines of a file of settings count all.
import { composeVariables } from './composeVariables.ts';
import { environment } from './environment.ts';

export type UnknownSetting = { readonly name: string; readonly text: string };

const settings = Object.keys(environment.properties);
const known = new Set([...settings, ...Object.keys(composeVariables)]);

/** What Node.js, the libraries and the shell read, and what may stand in a file with settings. */
const foreign =
  /^(npm_|NODE_|NPM_|AWS_|AZURE_|PG|OTEL_|COMPOSE_|DOCKER_|UV_|LC_|LD_|SSL_|SSLKEY|MALLOC_|TZ$|LANG$|PATH$|HOME$|DEBUG$|PWD$)|(^|_)PROXY$|_proxy$/;
/** Kubernetes names the services of a namespace in each container. */
const ofService = /_SERVICE_(HOST|PORT(_\w+)?)$|_PORT_\d+_(TCP|UDP|SCTP)(_\w+)?$/;
const serviceUrl = /^(tcp|udp|sctp):\/\//;

const PREFIX = /^MIDROLL_/;
/** Other programs use words like HOST and ROLE, in any case. */
const SHORT = 6;
/** From this length on, two mistakes are still closer than any other word. */
const LONG = 12;

/**
 * Insertions, deletions, substitutions and exchanges of neighbours that make one text of the other (optimal string alignment).
 * @returns `limit + 1` if there are more
 */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let [before, last] = [[] as number[], Array.from({ length: b.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? (before[j - 2] ?? 0) + 1 : replaced;
      row.push(Math.min(replaced, swapped, (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    [before, last] = [last, row];
  }
  return Math.min(last[b.length] ?? 0, limit + 1);
}

/** The setting that a name is closest to. @param isOurs the name can only be meant for Midroll */
function nearestSetting(name: string, isOurs: boolean): string | undefined {
  const plain = name.toUpperCase().replaceAll('-', '_').replace(PREFIX, '');
  if (plain.length < SHORT && !isOurs) return undefined;
  const most = plain.length >= LONG || isOurs ? 2 : 1;
  let found: { readonly setting: string; readonly distance: number } | undefined;
  for (const setting of settings) {
    // A word of four letters may have one mistake.
    const limit = Math.min(most, Math.floor(setting.length / 4));
    const distance = editDistance(plain, setting, limit);
    if (distance <= limit && distance < (found?.distance ?? Number.POSITIVE_INFINITY)) found = { setting, distance };
  }
  return found?.setting;
}

/**
 * @param env variables of the process and of the file
 * @param inFile the names in the file with settings
 * @returns in the order of the variables
 */
export function unknownSettings(
  env: Readonly<Record<string, string | undefined>>,
  inFile: ReadonlySet<string> = new Set(),
): UnknownSetting[] {
  return Object.entries(env).flatMap(([name, value = '']): UnknownSetting[] => {
    if (known.has(name) || value.trim() === '' || ofService.test(name) || serviceUrl.test(value)) return [];
    const isInFile = inFile.has(name);
    const meant = nearestSetting(name, isInFile || PREFIX.test(name));
    if (meant !== undefined) return [{ name, text: `${name} is not a setting of Midroll; did you mean ${meant}?` }];
    if (!isInFile || foreign.test(name)) return [];
    return [{ name, text: `${name} is not a setting of Midroll and has no effect.` }];
  });
}
